/**
 * [RS-4] Writes a plan to disk. Decides nothing; it processes the items in phases:
 *
 *   stage    write every new file beside its target, fsynced; nothing visible changes, so an error means `refused`
 *   check    every touched path still is as planned (RS-2), else PlanStale, nothing written
 *   --- from here on the restore is completed; each path ends as done, or as failed or kept with a reason ---
 *   aside    move away whatever has the wrong kind, or the same name in another spelling on a case-insensitive disk
 *   place    make folders, shallow first; rename staged files into place
 *   remove   delete what must be absent, deepest first; never a file this plan wrote
 *   modes    set permissions, deepest first
 *   sync     fsync every folder that changed
 *   verify   read everything back (RS-5)
 *
 * Each file is replaced by rename(2), so a reader, or a crash, finds the old or the new content and never a part.
 * Another process can still change a path between the last lstat and the rename or unlink; POSIX has no call that
 * closes this gap. It is kept to two system calls, and the guard holds the content that was recorded before.
 */
import { constants, lstatSync, renameSync } from 'node:fs'
import { lchown, lstat, mkdir, open, readdir, rename, rmdir } from 'node:fs/promises'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { eachWhenFree, isInUse } from '../files/in-use.ts'
import { childOf, isWithin, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { renameOver, unlinkAny } from '../files/read-only.ts'
import type { Signature } from '../files/signature.ts'
import { absoluteOf, createWorkspaceFs } from '../files/workspace-fs.ts'
import { inParallel } from '../ports/parallel.ts'
import {
  type AppliedItem,
  type ApplyItem,
  type ApplyState,
  deviceOf,
  fail,
  failed,
  failWith,
  IN_FLIGHT,
  setMode
} from './apply-state.ts'
import { moveToVisibleName, NEW_FOLDER_MODE, removeRecorded } from './aside.ts'
import { fsErrorReason } from './fs-error-reason.ts'
import {
  matchesExpected,
  mustMoveAside,
  refuseUnrecordedContent,
  resolveSpellingCollisions,
  verifyUnchanged
} from './preflight.ts'
import { removeStaged, stage } from './stage.ts'
import { verifyWritten } from './verify-written.ts'

/**
 * Applies the items of a new state. Throws PlanStale, DiskFull or Refused with nothing changed; after `onCommit` it
 * returns a result for every item. The state tells what else happened, also when it throws.
 */
export async function applyPlan(state: ApplyState): Promise<AppliedItem[]> {
  const { options } = state
  try {
    await stage(state)
    options.point?.('staged')
    verifyUnchanged(state)
    resolveSpellingCollisions(state)
    await refuseUnrecordedContent(state)
    options.point?.('checked')
    options.onCommit()
    state.committed = true
  } catch (error) {
    await removeStaged(state)
    // A staged file whose folder was deleted is gone with it and needs no recovery.
    state.leftover = [...state.staged.values()].some((temp) => mayStillExist(state, temp))
    throw error
  }
  await moveAside(state)
  options.point?.('aside')
  await makeFolders(state)
  await placeFiles(state)
  options.point?.('placed')
  await removeFiles(state)
  options.point?.('removed')
  await setModes(state)
  options.point?.('modes')
  await removeStaged(state)
  await syncFolders(state)
  await verifyWritten(state)
  // If the root is gone or on another device now, its content is unknown, and a recovery has to examine it.
  state.leftover = state.staged.size + state.aside.size > 0 || deviceOf(options.root) !== state.device
  options.point?.('verified')
  return options.items.map((item) => state.results.get(item.n) as AppliedItem)
}

const CHANGED = { code: 'changed' } as const

/**
 * [CP-4] lstat right before a change. Checks every folder above again; null also when one of them has become a link.
 */
function statNow(state: ApplyState, path: string): Signature | null {
  return createWorkspaceFs(state.options.root).stat(path)
}

/**
 * Whether nobody but this plan has touched the path. Removing one of several hard links changes the ctime of the
 * others, so the ctime is ignored for files that this plan unlinked under another name.
 */
function isUntouched(state: ApplyState, now: Signature | null, item: ApplyItem, location = item.path): boolean {
  const inode = inodeOf(absoluteOf(state.options.root, location))
  const unlinkedByUs = now !== null && item.expected !== null && inode !== null && state.unlinked.has(inode)
  return matchesExpected(unlinkedByUs ? { ...now, ctime: (item.expected as Signature).ctime } : now, item)
}

/** Identifies a file under any of its names: inode numbers are unique per device only. */
function inodeOf(absolute: string): string | null {
  const stats = lstatSync(absolute, { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : null
}

/** A real folder, so that a name in it is a name in the workspace: no folder above was removed or became a link. */
function isRealFolder(state: ApplyState, folder: string): boolean {
  return folder === '' || statNow(state, folder)?.kind === 'dir'
}

function mayStillExist(state: ApplyState, temp: string): boolean {
  try {
    return isRealFolder(state, parentOf(temp))
  } catch (error) {
    fsErrorReason(error)
    return true
  }
}

async function moveAside(state: ApplyState): Promise<void> {
  const { root, restore, point } = state.options
  await each(
    state,
    (item) => mustMoveAside(state, item),
    async (item) => {
      const folder = parentOf(item.path)
      const to = childOf(folder, `${OWN_PREFIX}${restore}-${item.n}.old`)
      const now = statNow(state, item.path)
      if (!isUntouched(state, now, item)) {
        fail(state, item, CHANGED)
        return
      }
      const inode = inodeOf(absoluteOf(root, item.path))
      await rename(absoluteOf(root, item.path), absoluteOf(root, to))
      if (inode) state.unlinked.add(inode)
      state.aside.set(item.path, to)
      state.touchedFolders.add(folder)
      point?.(`aside:${state.aside.size}`)
    }
  )
}

async function makeFolders(state: ApplyState): Promise<void> {
  const { point } = state.options
  let made = 0
  await each(
    state,
    (item) => item.after.kind === 'dir' && item.action !== 'mode',
    async (item) => {
      if (hasParentFolder(state, item) && isNameFree(state, item)) await makeFolder(state, item)
      state.touchedFolders.add(parentOf(item.path))
      point?.(`made:${++made}`)
    }
  )
}

async function placeFiles(state: ApplyState): Promise<void> {
  const { progress, point } = state.options
  let done = 0
  await each(
    state,
    (item) => state.staged.has(item.n),
    async (item) => {
      placeFile(state, item, state.staged.get(item.n) as string)
      progress('write', ++done, item.path)
      point?.(`placed:${done}`)
    }
  )
}

function placeFile(state: ApplyState, item: ApplyItem, temp: string): void {
  const { root } = state.options
  if (!hasParentFolder(state, item)) return
  const now = statNow(state, item.path)
  if (!state.aside.has(item.path) && !isUntouched(state, now, item)) {
    fail(state, item, CHANGED)
    return
  }
  if (now === null && !isNameFree(state, item)) return
  const target = absoluteOf(root, item.path)
  const replaced = now ? inodeOf(target) : null
  // Before the rename: an attempt that fails may have changed the ctime of a read-only file.
  if (replaced) state.unlinked.add(replaced)
  renameOver(absoluteOf(root, temp), target)
  state.staged.delete(item.n)
  state.written.add(inodeOf(target) ?? '')
  state.touchedFolders.add(parentOf(item.path))
}

function hasParentFolder(state: ApplyState, item: ApplyItem): boolean {
  const folder = parentOf(item.path)
  if (isRealFolder(state, folder)) return true
  fail(state, item, { code: 'not-a-folder', path: folder })
  return false
}

/** Whether no other spelling of the name is present. */
function isNameFree(state: ApplyState, item: ApplyItem): boolean {
  const present = createWorkspaceFs(state.options.root).otherSpelling(item.path)
  if (present !== null) fail(state, item, { code: 'same-name', path: present })
  return present === null
}

async function makeFolder(state: ApplyState, item: ApplyItem): Promise<void> {
  const { root, restore } = state.options
  const path = absoluteOf(root, item.path)
  try {
    await mkdir(path, NEW_FOLDER_MODE)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const present = statNow(state, item.path)
    if (present?.kind === 'dir') return
    if (present) throw error
    // EEXIST without an entry: a FUSE file system still caches a removed spelling of the name. A rename updates its
    // cache.
    const temp = absoluteOf(root, childOf(parentOf(item.path), `${OWN_PREFIX}${restore}-${item.n}.new`))
    await mkdir(temp, NEW_FOLDER_MODE)
    await rename(temp, path).catch(async (refused) => {
      await rmdir(temp)
      throw refused
    })
  }
}

async function removeFiles(state: ApplyState): Promise<void> {
  const { root, items, patience, point } = state.options
  const absent = new Set(items.filter((item) => item.after.kind === 'absent').map((item) => item.path))
  let removed = 0
  await each(
    state,
    (item) => absent.has(item.path),
    async (item) => {
      // The path may have been moved aside together with a folder above it.
      const moved = [...state.aside].find(([path]) => path !== item.path && isWithin(item.path, path))
      const location = moved ? moved[1] + item.path.slice(moved[0].length) : item.path
      const now = statNow(state, location)
      const inode = now ? inodeOf(absoluteOf(root, location)) : null
      if (!inode || state.written.has(inode)) return
      if (item.before.kind === 'dir') await removeFolder(state, item, absoluteOf(root, location), absent)
      else if (isUntouched(state, now, item, location)) {
        state.unlinked.add(inode)
        unlinkAny(absoluteOf(root, location))
      } else fail(state, item, CHANGED)
      state.touchedFolders.add(parentOf(item.path))
      point?.(`removed:${++removed}`)
    },
    'deepest first'
  )
  // Also of items that failed since: their old content returns to its name.
  const aside = items.filter((item) => state.aside.has(item.path))
  await eachWhenFree(
    patience,
    aside,
    (item) => {
      if (!isRealFolder(state, parentOf(item.path))) return
      disposeOfAside(state, item, state.aside.get(item.path) as string)
      state.aside.delete(item.path)
      point?.(`removed:${++removed}`)
    },
    failWith(state)
  )
}

/**
 * A path that was moved aside returns to its name if nothing was placed there. Otherwise the part of it that the log
 * holds is deleted, and the rest gets a visible name, which the item's note reports.
 */
function disposeOfAside(state: ApplyState, item: ApplyItem, location: string): void {
  const { root, items } = state.options
  const home = absoluteOf(root, item.path)
  // The name must be free in every spelling, or the rename would replace the file that has another spelling.
  if (statNow(state, item.path) === null && createWorkspaceFs(root).otherSpelling(item.path) === null) {
    renameSync(absoluteOf(root, location), home)
    return
  }
  const recorded = new Map(items.map(({ path, before }) => [path, before]))
  if (removeRecorded(absoluteOf(root, location), item.path, recorded)) return
  const name = moveToVisibleName(absoluteOf(root, location), home)
  state.notes.set(item.n, { code: 'kept-beside', name })
}

async function removeFolder(
  state: ApplyState,
  item: ApplyItem,
  location: string,
  absent: ReadonlySet<string>
): Promise<void> {
  try {
    await rmdir(location)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    const names = await readdir(location)
    // Windows lists a deleted file until the last program has closed it.
    if (isInUse(error) && names.every((name) => absent.has(childOf(item.path, name)))) throw error
    fail(state, item, { code: 'not-empty', name: names[0] ?? null }, 'kept')
  }
}

async function setModes(state: ApplyState): Promise<void> {
  const { root, point } = state.options
  let set = 0
  const isSet = (item: ApplyItem): boolean => item.action === 'mode' || item.after.kind === 'dir'
  // Deepest first: a folder that becomes read-only must not block changes inside it.
  await each(
    state,
    isSet,
    async (item) => {
      const now = statNow(state, item.path)
      // chmod(2) follows links, so the kind, and for existing files the inode, is checked right before.
      if (now?.kind !== item.after.kind || (item.action === 'mode' && now.ino !== item.expected?.ino)) {
        fail(state, item, CHANGED)
        return
      }
      const path = absoluteOf(root, item.path)
      setMode(state, path, item.after.mode)
      if (item.action === 'mkdir' && process.geteuid?.() === 0) {
        const { uid, gid } = await lstat(absoluteOf(root, parentOf(item.path)))
        await lchown(path, uid, gid)
      }
      point?.(`modes:${++set}`)
    },
    'deepest first'
  )
}

/** [CP-4] Opens folders only, never through a link, never a pipe. Windows has none of these flags. */
const FOLDER_ONLY =
  constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Makes renames and removals durable: fsync(2) of a file does not cover its entry in the folder. */
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
      // The folder was removed, or replaced by a file or a link, perhaps by this plan (ELOOP). Windows cannot sync
      // folders (EISDIR, EPERM); its renames are durable without it.
      if (isNotFound(error) || ['ELOOP', 'EISDIR', 'EPERM', 'EINVAL', 'EACCES'].includes(errorCode(error))) return
      const reason = fsErrorReason(error)
      for (const item of state.options.items)
        if (parentOf(item.path) === path && !failed(state, item)) fail(state, item, reason)
    }
  })
}

/**
 * Runs one step for each of the `wanted` items that have not failed; those in use come last. A file system error
 * becomes the item's reason, and the other items continue.
 */
function each(
  state: ApplyState,
  wanted: (item: ApplyItem) => boolean,
  step: (item: ApplyItem) => void | Promise<void>,
  order: 'shallow first' | 'deepest first' = 'shallow first'
): Promise<void> {
  const { items, patience } = state.options
  const chosen = items.filter((item) => !failed(state, item) && wanted(item))
  return eachWhenFree(patience, order === 'deepest first' ? chosen.reverse() : chosen, step, failWith(state))
}
