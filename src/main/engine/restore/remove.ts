/** [RS-4] The phase of a restore that deletes what must be absent, deepest first; never a file this plan wrote. */
import { readdirSync, rmdirSync } from 'node:fs'
import { errorCode } from '../files/fs-errors.ts'
import { isInUse } from '../files/in-use.ts'
import { childOf, isWithin, nameOf, parentOf } from '../files/paths.ts'
import { inRealFolder } from '../files/pinned-folder.ts'
import { changeNames, unlinkAny } from '../files/read-only.ts'
import { identityOf } from '../files/signature.ts'
import { type ApplyItem, type ApplyState, changeNamesIn, fail } from './apply-state.ts'
import { CHANGED, each, isUntouched } from './apply-step.ts'
import { disposeOfAsides } from './aside.ts'

/** Also disposes of what was moved aside. */
export async function removeFiles(state: ApplyState): Promise<void> {
  const { point } = state.options
  let removed = 0
  const onRemoved = (): void => point?.(`removed:${++removed}`)
  await removeAbsent(state, onRemoved)
  await disposeOfAsides(state, onRemoved)
}

async function removeAbsent(state: ApplyState, onRemoved: () => void): Promise<void> {
  const absent = new Set(state.options.items.filter((item) => item.after.kind === 'absent').map((item) => item.path))
  await each(
    state,
    (item) => absent.has(item.path),
    async (item) => {
      if (item.movedTo && state.results.has(item.movedTo.n)) {
        fail(state, item, { code: 'not-moved', path: item.movedTo.path }, 'kept')
        return
      }
      const isFound = await removeItem(state, item, absent)
      if (!isFound) return
      state.touchedFolders.add(parentOf(item.path))
      onRemoved()
    },
    'deepest first'
  )
}

/** False if nothing is there, or only what this plan wrote; null if its folder is not there. */
function removeItem(state: ApplyState, item: ApplyItem, absent: ReadonlySet<string>): Promise<boolean | null> {
  // The path may have been moved aside together with a folder above it.
  const moved = [...state.aside].find(([path]) => path !== item.path && isWithin(item.path, path))
  const location = moved ? moved[1] + item.path.slice(moved[0].length) : item.path
  return inRealFolder(state.options.root, parentOf(location), (fs) => {
    const change = (act: () => void): void =>
      moved ? changeNames(fs.absolute(''), act) : changeNamesIn(state.changing, parentOf(location), fs, act)
    const path = fs.absolute(nameOf(location))
    const now = fs.stat(nameOf(location))
    const file = now && identityOf(path)
    if (!file || state.written.has(file)) return false
    if (item.before.kind === 'dir') change(() => removeFolder(state, item, path, absent))
    else if (isUntouched(state, now, item)) {
      state.unlinked.add(now.ino)
      change(() => unlinkAny(path))
    } else fail(state, item, CHANGED)
    return true
  })
}

function removeFolder(state: ApplyState, item: ApplyItem, location: string, absent: ReadonlySet<string>): void {
  try {
    rmdirSync(location)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    const names = readdirSync(location)
    // Windows lists a deleted file until the last program has closed it.
    if (isInUse(error) && names.every((name) => absent.has(childOf(item.path, name)))) throw error
    fail(state, item, { code: 'not-empty', name: names[0] ?? null }, 'kept')
  }
}
