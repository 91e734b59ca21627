/**
 * [RS-4] Writes a plan to disk. Dull on purpose: it decides nothing, it walks the list in phases.
 *
 *   stage    every new file beside its target, fsynced        nothing visible has changed: failing here is `refused`
 *   look     every touched path still is what the plan saw    else PlanStale, nothing written (RS-2)
 *   --- from here on the restore is carried through; each path ends as done or failed with a reason ---
 *   aside    move away what has the wrong kind, or the same name in another spelling on a disk that takes both for one
 *   place    make folders, shallow first; rename staged files into place
 *   remove   what must be absent, deepest first; never an entry this plan wrote
 *   modes    folders deepest first
 *   sync     fsync every folder that changed
 *   verify   read everything back (RS-5)
 */

import { chmodSync, constants, lstatSync, renameSync } from 'node:fs'
import { lchown, lstat, mkdir, open, readdir, rename, rmdir, unlink } from 'node:fs/promises'
import { absoluteOf, childOf, createInside, isWithin, OWN_PREFIX, parentOf } from '../files/inside.ts'
import type { Signature } from '../files/signature.ts'
import { errorCode, isAbsence } from '../ports/fs-errors.ts'
import { inParallel } from '../ports/parallel.ts'
import {
  type Applied,
  type ApplyItem,
  type ApplyOptions,
  type ApplyState,
  createState,
  diskOf,
  fail,
  failed,
  IN_FLIGHT,
  setMode
} from './apply-state.ts'
import { clearAside, giveVisibleName, NEW_FOLDER_MODE } from './aside.ts'
import { asExpected, findNamesakes, look, makesWay, refuseForeignContent, takenFor } from './look.ts'
import { refusedBySystem } from './refused-by-system.ts'
import { dropStaged, stage } from './stage.ts'
import { verify } from './verify-written.ts'

/** Applies the items. Throws PlanStale, DiskFull or Refused with nothing changed; afterwards it always answers for every item. */
export async function applyPlan(options: ApplyOptions): Promise<Applied[]> {
  const state = createState(options)
  try {
    await stage(state)
    options.point?.('staged')
    look(state)
    findNamesakes(state)
    await refuseForeignContent(state)
    options.point?.('looked')
    options.committed()
  } catch (error) {
    await dropStaged(state)
    // What went away with its folder cannot be found any more, and nothing but it is wrong.
    if ([...state.staged.values()].some((temp) => mayStillLie(state, temp))) options.left()
    throw error
  }
  await moveAside(state)
  options.point?.('aside')
  await place(state)
  options.point?.('placed')
  await remove(state)
  options.point?.('removed')
  await setModes(state)
  options.point?.('modes')
  await dropStaged(state)
  await syncFolders(state)
  verify(state)
  if (!state.keepsModes) options.withoutModes()
  // Where the folder cannot be seen any more nobody knows what is in it: that is for a recovery to find out.
  if (state.staged.size + state.aside.size > 0 || diskOf(options.root) !== state.disk) options.left()
  options.point?.('verified')
  return options.items.map((item) => state.results.get(item.n) as Applied)
}

/** Renames are quicker done than handed over; after so many, others get a turn. */
const PLACED_AT_ONCE = 64
const CHANGED = 'it changed at the last moment and was left alone'

/** [CP-4] lstat right before a change, with every folder above looked at anew: null also when one of them became a link. */
function lookNow(state: ApplyState, path: string): Signature | null {
  return createInside(state.options.root).look(path)
}

/** Nobody but this plan touched the path: taking one of a file's names away (hard links) moves the ctime of the others. */
function isUntouched(state: ApplyState, now: Signature | null, item: ApplyItem, place = item.path): boolean {
  const entry = entryOf(absoluteOf(state.options.root, place))
  const moved = now !== null && item.expected !== null && entry !== null && state.unlinked.has(entry)
  return asExpected(moved ? { ...now, ctime: (item.expected as Signature).ctime } : now, item)
}

/** What lies at an absolute path, whatever its name: inode numbers mean something on their own disk only. */
function entryOf(absolute: string): string | null {
  const stats = lstatSync(absolute, { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : null
}

/** A name in this folder is a name in the workspace: no folder above it has become a link or went away. */
function isReal(state: ApplyState, folder: string): boolean {
  return folder === '' || lookNow(state, folder)?.kind === 'dir'
}

function mayStillLie(state: ApplyState, temp: string): boolean {
  try {
    return isReal(state, parentOf(temp))
  } catch (error) {
    refusedBySystem(error)
    return true
  }
}

async function moveAside(state: ApplyState): Promise<void> {
  const { root, items, restore, point } = state.options
  for (const item of items) {
    if (failed(state, item) || !makesWay(state, item)) continue
    const folder = parentOf(item.path)
    const to = childOf(folder, `${OWN_PREFIX}${restore}-${item.n}.old`)
    await attempt(state, item, async () => {
      const now = lookNow(state, item.path)
      if (!isUntouched(state, now, item)) {
        fail(state, item, CHANGED)
        return
      }
      const entry = entryOf(absoluteOf(root, item.path))
      await rename(absoluteOf(root, item.path), absoluteOf(root, to))
      if (entry) state.unlinked.add(entry)
      state.aside.set(item.path, to)
      state.touchedFolders.add(folder)
      point?.(`aside:${state.aside.size}`)
    })
  }
}

async function place(state: ApplyState): Promise<void> {
  const { root, items, progress, point } = state.options
  let made = 0
  for (const item of items) {
    if (item.after.kind !== 'dir' || item.action === 'mode' || failed(state, item)) continue
    await attempt(state, item, async () => {
      if (hasRoom(state, item) && isFree(state, item)) await makeFolder(state, item)
      state.touchedFolders.add(parentOf(item.path))
      point?.(`made:${++made}`)
    })
  }
  let done = 0
  for (const item of items) {
    const temp = state.staged.get(item.n)
    if (temp === undefined || failed(state, item)) continue
    await attempt(state, item, async () => {
      if (!hasRoom(state, item)) return
      const now = lookNow(state, item.path)
      if (!state.aside.has(item.path) && !isUntouched(state, now, item)) {
        fail(state, item, CHANGED)
        return
      }
      if (now === null && !isFree(state, item)) return
      const target = absoluteOf(root, item.path)
      const replaced = now ? entryOf(target) : null
      renameSync(absoluteOf(root, temp), target)
      if (replaced) state.unlinked.add(replaced)
      state.staged.delete(item.n)
      state.written.add(entryOf(target) ?? '')
      state.touchedFolders.add(parentOf(item.path))
    })
    progress('write', ++done, item.path)
    point?.(`placed:${done}`)
    if (done % PLACED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function hasRoom(state: ApplyState, item: ApplyItem): boolean {
  const folder = parentOf(item.path)
  if (isReal(state, folder)) return true
  fail(state, item, `${folder} is not a folder any more`)
  return false
}

/** Nothing stands in its place under another spelling. */
function isFree(state: ApplyState, item: ApplyItem): boolean {
  const other = createInside(state.options.root).namesake(item.path)
  if (other !== null) fail(state, item, takenFor(other))
  return other === null
}

async function makeFolder(state: ApplyState, item: ApplyItem): Promise<void> {
  const { root, restore } = state.options
  const path = absoluteOf(root, item.path)
  try {
    await mkdir(path, NEW_FOLDER_MODE)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const there = lookNow(state, item.path)
    if (there?.kind === 'dir') return
    if (there) throw error
    // The system remembers a spelling that is gone, which only a rename makes it forget (FUSE).
    const temp = absoluteOf(root, childOf(parentOf(item.path), `${OWN_PREFIX}${restore}-${item.n}.new`))
    await mkdir(temp, NEW_FOLDER_MODE)
    await rename(temp, path).catch(async (refused) => {
      await rmdir(temp)
      throw refused
    })
  }
}

async function remove(state: ApplyState): Promise<void> {
  const { root, items, point } = state.options
  let gone = 0
  for (const item of [...items].reverse()) {
    if (item.after.kind !== 'absent' || failed(state, item)) continue
    const moved = [...state.aside].find(([path]) => path !== item.path && isWithin(item.path, path))
    const place = moved ? moved[1] + item.path.slice(moved[0].length) : item.path
    await attempt(state, item, async () => {
      const now = lookNow(state, place)
      const entry = now ? entryOf(absoluteOf(root, place)) : null
      if (!entry || state.written.has(entry)) return
      if (item.before.kind === 'dir') await removeFolder(state, item, absoluteOf(root, place))
      else if (isUntouched(state, now, item, place)) {
        await unlink(absoluteOf(root, place))
        state.unlinked.add(entry)
      } else fail(state, item, CHANGED)
      state.touchedFolders.add(parentOf(item.path))
      point?.(`removed:${++gone}`)
    })
  }
  for (const [path, place] of state.aside) {
    const item = items.find((one) => one.path === path) as ApplyItem
    await attempt(state, item, async () => {
      if (!isReal(state, parentOf(path))) return
      putAway(state, item, place)
      state.aside.delete(path)
      point?.(`removed:${++gone}`)
    })
  }
}

/** What was moved aside goes, because the log holds it; it comes back if its place stayed empty, and shows if it is more than was recorded. */
function putAway(state: ApplyState, item: ApplyItem, place: string): void {
  const { root, items } = state.options
  const home = absoluteOf(root, item.path)
  // Any spelling counts: where one stands, another would be written over it.
  if (lookNow(state, item.path) === null && createInside(root).namesake(item.path) === null) {
    renameSync(absoluteOf(root, place), home)
    return
  }
  const recorded = new Map(items.map((one) => [one.path, one.before]))
  if (clearAside(absoluteOf(root, place), item.path, recorded)) return
  const name = giveVisibleName(absoluteOf(root, place), home)
  state.notes.set(item.n, `what was in its place and is not recorded was kept as ${name}`)
}

async function removeFolder(state: ApplyState, item: ApplyItem, place: string): Promise<void> {
  try {
    await rmdir(place)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    const [first] = await readdir(place)
    fail(state, item, `the folder still holds ${first ?? 'something'} and was kept`, 'kept')
  }
}

async function setModes(state: ApplyState): Promise<void> {
  const { root, items, point } = state.options
  let set = 0
  // Deepest first: a folder that becomes read-only must not lock out work inside it.
  for (const item of [...items].reverse()) {
    if (failed(state, item) || (item.action !== 'mode' && item.after.kind !== 'dir')) continue
    await attempt(state, item, async () => {
      const now = lookNow(state, item.path)
      // chmod follows links, so only what is seen to be the planned kind of thing gets it.
      if (now?.kind !== item.after.kind || (item.action === 'mode' && now.ino !== item.expected?.ino)) {
        fail(state, item, CHANGED)
        return
      }
      const path = absoluteOf(root, item.path)
      setMode(
        state,
        item.after.mode,
        () => chmodSync(path, item.after.mode),
        () => lstatSync(path).mode
      )
      if (item.action === 'mkdir' && process.geteuid?.() === 0) {
        const { uid, gid } = await lstat(absoluteOf(root, parentOf(item.path)))
        await lchown(absoluteOf(root, item.path), uid, gid)
      }
      point?.(`modes:${++set}`)
    })
  }
}

/** [CP-4] Never through a link, never a pipe. Windows knows none of these. */
const FOLDER_ONLY =
  constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function syncFolders(state: ApplyState): Promise<void> {
  await inParallel([...state.touchedFolders], IN_FLIGHT, async (path) => {
    try {
      const folder = await open(absoluteOf(state.options.root, path), FOLDER_ONLY)
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    } catch (error) {
      // Gone in the meantime, or something else by now, perhaps a link of this very plan (ELOOP); or a system that cannot
      // sync folders (Windows): its rename is durable by itself there.
      if (isAbsence(error) || ['ELOOP', 'EISDIR', 'EPERM', 'EINVAL', 'EACCES'].includes(errorCode(error))) return
      const reason = refusedBySystem(error)
      for (const item of state.options.items)
        if (parentOf(item.path) === path && !failed(state, item)) fail(state, item, reason)
    }
  })
}

/** Runs one step of one item; what the file system refuses is that item's reason, and the others go on. */
async function attempt(state: ApplyState, item: ApplyItem, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    fail(state, item, refusedBySystem(error))
  }
}
