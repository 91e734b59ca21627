/**
 * Files and folders that a restore moved aside. They are deleted only as far as the log holds exactly their content;
 * anything else gets a visible name beside its old one.
 */
import { readdirSync, renameSync, rmdirSync } from 'node:fs'
import type { FileVersion } from '../../../contract/log.ts'
import { errorCode } from '../files/fs-errors.ts'
import { eachWhenFree, isInUse } from '../files/in-use.ts'
import { childOf, nameOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { inRealFolder } from '../files/pinned-folder.ts'
import { changeNames, unlinkAny } from '../files/read-only.ts'
import { lstatSignature } from '../files/signature.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import { type ApplyState, type ChangingFolders, changeNamesIn, fail, failWith } from './apply-state.ts'
import { CHANGED, each, isUntouched } from './apply-step.ts'
import { mustMoveAside } from './preflight.ts'
import { hasContentOf } from './verify-written.ts'

/** Moves away whatever has the wrong kind, or the same name in another spelling on a case-insensitive disk. */
export async function moveAside(state: ApplyState): Promise<void> {
  const { root, restore, point } = state.options
  await each(
    state,
    (item) => mustMoveAside(state, item),
    async (item) => {
      const folder = parentOf(item.path)
      const aside = `${OWN_PREFIX}${restore}-${item.n}.old`
      const moved = await inRealFolder(root, folder, (fs) => {
        const name = nameOf(item.path)
        const now = fs.stat(name)
        if (!isUntouched(state, now, item)) return false
        changeNamesIn(state.changing, folder, fs, () => renameSync(fs.absolute(name), fs.absolute(aside)))
        if (now) state.unlinked.add(now.ino)
        return true
      })
      if (!moved) {
        fail(state, item, CHANGED)
        return
      }
      state.aside.set(item.path, childOf(folder, aside))
      state.touchedFolders.add(folder)
      point?.(`aside:${state.aside.size}`)
    }
  )
}

/** Also of items that failed since: their old content returns to its name. */
export async function disposeOfAsides(state: ApplyState, onRemoved: () => void): Promise<void> {
  const { root, items, patience } = state.options
  const recorded = new Map(items.map(({ path, before }) => [path, before]))
  await eachWhenFree(
    patience,
    items.filter((item) => state.aside.has(item.path)),
    async (item) => {
      const aside = nameOf(state.aside.get(item.path) as string)
      const isDisposed = await inRealFolder(root, parentOf(item.path), async (fs) => {
        const name = await disposeOfAside(fs, { aside, path: item.path, recorded, changing: state.changing })
        if (name !== null) state.notes.set(item.n, { code: 'kept-beside', name })
        return true
      })
      if (!isDisposed) return
      state.aside.delete(item.path)
      onRemoved()
    },
    failWith(state)
  )
}

interface Aside {
  /** Its name in its folder. */
  readonly aside: string
  /** Root-relative, in the same folder: where it was moved from. */
  readonly path: string
  /** The recorded versions of paths. */
  readonly recorded: ReadonlyMap<string, FileVersion>
  readonly changing: ChangingFolders
}

/**
 * An entry of `folder` that was moved aside returns to its name if nothing was placed there. Otherwise the part of it that the
 * log holds is deleted, and the rest gets a visible name, which is returned.
 */
export async function disposeOfAside(folder: WorkspaceFs, entry: Aside): Promise<string | null> {
  const { aside, path, changing } = entry
  const home = nameOf(path)
  const change: Change = (act) => changeNamesIn(changing, parentOf(path), folder, act)
  // The name must be free in every spelling, or the rename would replace the file that has another spelling.
  if (folder.stat(home) === null && folder.otherSpelling(home) === null) {
    change(() => renameSync(folder.absolute(aside), folder.absolute(home)))
    return null
  }
  if (await removeRecorded(folder, change, { ...entry, name: aside })) return null
  return change(() => moveToVisibleName(folder, aside, home))
}

/** Makes a change in one folder. */
type Change = <T>(act: () => T) => T

/**
 * Deletes the entry `name` of `folder`, as far as it equals the recorded version of its former root-relative `path`,
 * recursively. Returns whether everything was deleted. Throws for a file in use; another call removes the rest.
 */
async function removeRecorded(
  folder: WorkspaceFs,
  change: Change,
  { name, path, recorded }: Pick<Aside, 'path' | 'recorded'> & { readonly name: string }
): Promise<boolean> {
  const version = recorded.get(path)
  const location = folder.absolute(name)
  if (lstatSignature(location)?.kind !== 'dir') {
    if (!version || !hasContentOf(location, version)) return false
    change(() => unlinkAny(location))
    return true
  }
  const kept = await inRealFolder(folder.root, name, async (inner) => {
    // What was moved aside has no other name any more: that it is read-only protects nothing.
    const changeInner: Change = (act) => changeNames(inner.absolute(''), act)
    let count = 0
    for (const entry of readdirSync(inner.absolute('')))
      if (!(await removeRecorded(inner, changeInner, { name: entry, path: childOf(path, entry), recorded }))) count++
    return count
  })
  try {
    if (version?.kind === 'dir') change(() => rmdirSync(location))
    return version?.kind === 'dir'
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    // Nothing is in it but what Windows has yet to delete.
    if (isInUse(error) && kept === 0) throw error
    return false
  }
}

/**
 * Renames the entry `from` to a free name beside `home`, its former name in the same folder, where people and the recorder
 * find it. Returns the name.
 */
function moveToVisibleName(folder: WorkspaceFs, from: string, home: string): string {
  for (let n = 1; ; n++) {
    const visible = `${home}.kept${n === 1 ? '' : `-${n}`}`
    if (lstatSignature(folder.absolute(visible))) continue
    renameSync(folder.absolute(from), folder.absolute(visible))
    return visible
  }
}
