/** [RS-4] The phase of a restore that makes folders and puts staged files into place. */
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { errorCode } from '../files/fs-errors.ts'
import { childOf, nameOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { inRealFolder, openFolders, openRealFolder } from '../files/pinned-folder.ts'
import { renameOver } from '../files/read-only.ts'
import { identityOf } from '../files/signature.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import { type ApplyItem, type ApplyState, changeNamesIn, fail, NEW_FOLDER_MODE } from './apply-state.ts'
import { CHANGED, each, isUntouched } from './apply-step.ts'

/** Makes the folders of the plan, shallow first. */
export async function makeFolders(state: ApplyState): Promise<void> {
  const { root, point } = state.options
  let made = 0
  await each(
    state,
    (item) => item.after.kind === 'dir' && item.action !== 'mode',
    async (item) => {
      const folder = parentOf(item.path)
      const found = await inRealFolder(root, folder, (fs) => {
        if (isNameFree(state, item, fs)) changeNamesIn(state.changing, folder, fs, () => makeFolder(state, item, fs))
        return true
      })
      if (!found) fail(state, item, { code: 'not-a-folder', path: folder })
      state.touchedFolders.add(parentOf(item.path))
      point?.(`made:${++made}`)
    }
  )
}

function makeFolder(state: ApplyState, item: ApplyItem, folder: WorkspaceFs): void {
  const path = folder.absolute(nameOf(item.path))
  try {
    mkdirSync(path, NEW_FOLDER_MODE)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const present = folder.stat(nameOf(item.path))
    if (present?.kind === 'dir') return
    if (present) throw error
    // EEXIST without an entry: a FUSE file system still caches a removed spelling of the name. A rename updates its
    // cache.
    const temp = folder.absolute(`${OWN_PREFIX}${state.options.restore}-${item.n}.new`)
    mkdirSync(temp, NEW_FOLDER_MODE)
    try {
      renameSync(temp, path)
    } catch (refused) {
      rmdirSync(temp)
      throw refused
    }
  }
}

/** Renames the staged files into place: a reader finds the old or the new content, never a part. */
export async function placeFiles(state: ApplyState): Promise<void> {
  const { root, progress, point } = state.options
  using folders = openFolders(root)
  let done = 0
  await each(
    state,
    (item) => state.staged.has(item.n),
    (item) => {
      const folder = parentOf(item.path)
      const fs = folders.open(folder)
      if (fs) placeFile(state, item, fs, state.staged.get(item.n) as string)
      else fail(state, item, { code: 'not-a-folder', path: folder })
      progress('write', ++done, item.path)
      point?.(`placed:${done}`)
    }
  )
}

/** `folder`: the item's parent; `temp`: the staged file, there or in a folder above. */
function placeFile(state: ApplyState, item: ApplyItem, folder: WorkspaceFs, temp: string): void {
  const name = nameOf(item.path)
  const target = folder.absolute(name)
  const now = folder.stat(name)
  const isAsPlanned = state.aside.has(item.path) ? now === null : isUntouched(state, now, item)
  if (!isAsPlanned) {
    fail(state, item, CHANGED)
    return
  }
  if (now === null && !isNameFree(state, item, folder)) return
  // Before the rename: an attempt that fails may have changed the ctime of a read-only file.
  if (now) state.unlinked.add(now.ino)
  const isBeside = parentOf(temp) === parentOf(item.path)
  using above = isBeside ? null : openRealFolder(state.options.root, parentOf(temp))
  const staging = isBeside ? folder : above
  if (!staging) {
    fail(state, item, CHANGED)
    return
  }
  changeNamesIn(state.changing, parentOf(item.path), folder, () => renameOver(staging.absolute(nameOf(temp)), target))
  state.staged.delete(item.n)
  if (state.removes) state.written.add(identityOf(target) ?? '')
  state.touchedFolders.add(parentOf(item.path))
}

/** Whether no other spelling of the name is present in its folder. */
function isNameFree(state: ApplyState, item: ApplyItem, folder: WorkspaceFs): boolean {
  const present = folder.otherSpelling(nameOf(item.path))
  if (present !== null) fail(state, item, { code: 'same-name', path: childOf(parentOf(item.path), present) })
  return present === null
}
