/**
 * [RS-4] Writes a plan to disk. Decides nothing; it processes the items in phases:
 *
 *   stage    write every new file beside its target, durably; nothing visible changes, so an error means `refused`
 *   check    every touched path still is as planned (RS-2), else PlanStale, nothing written
 *   --- from here on the restore is completed; each path ends as done, or as failed or kept with a reason ---
 *   aside    move away whatever has the wrong kind, or the same name in another spelling on a case-insensitive disk
 *   place    make folders, shallow first; rename staged files into place
 *   remove   delete what must be absent, deepest first; never a file this plan wrote
 *   modes    set permissions, deepest first
 *   sync     make every folder that changed durable
 *   verify   read everything back (RS-5)
 *
 * Each file is replaced by rename(2), so a reader, or a crash, finds the old or the new content and never a part.
 * Another process can still change a path between the last lstat and the rename or unlink; POSIX has no call that
 * closes this gap. It is kept to two system calls, and the guard holds the content that was recorded before. A folder
 * that is swapped for a link in that moment leads nowhere else: both calls use the folder itself (pinned-folder.ts).
 */
import { chownSync, constants, renameSync } from 'node:fs'
import { mkdir, open, readdir, rename, rmdir } from 'node:fs/promises'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { eachWhenFree, isInUse } from '../files/in-use.ts'
import { childOf, isWithin, nameOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { inRealFolder, openFolders, openRealFolder, withEntry } from '../files/pinned-folder.ts'
import { renameOver, unlinkAny } from '../files/read-only.ts'
import { preserveOwner } from '../files/replace-file.ts'
import { identityOf, type Signature } from '../files/signature.ts'
import { MANY_FILES } from '../files/sync-disks.ts'
import { absoluteOf, createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
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
import { disposeOfAside, NEW_FOLDER_MODE } from './aside.ts'
import { fsErrorReason } from './fs-error-reason.ts'
import {
  matchesExpected,
  mustMoveAside,
  refuseUnrecordedContent,
  resolveSpellingCollisions,
  verifyUnchanged
} from './preflight.ts'
import { removeStaged, stage, syncTogether } from './stage.ts'
import { verifyWritten } from './verify-written.ts'

/**
 * Applies the items of a new state. Throws PlanStale, DiskFull or Refused with nothing changed; after the checks it
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
    state.committed = true
  } catch (error) {
    await removeStaged(state)
    // A staged file whose folder was deleted is gone with it and needs no recovery.
    state.leftover = [...state.staged.values()].some((temp) => mayStillExist(state, temp))
    throw error
  }
  await options.beforeChanges()
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
 * Whether nobody but this plan has touched the path. Removing one of several hard links changes the ctime of the
 * others, so the ctime is ignored for files that this plan unlinked under another name.
 */
function isUntouched(state: ApplyState, now: Signature | null, item: ApplyItem): boolean {
  const unlinkedByUs = now !== null && item.expected !== null && state.unlinked.has(now.ino)
  return matchesExpected(unlinkedByUs ? { ...now, ctime: (item.expected as Signature).ctime } : now, item)
}

function mayStillExist(state: ApplyState, temp: string): boolean {
  try {
    return createWorkspaceFs(state.options.root).isFolder(parentOf(temp))
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
      const aside = `${OWN_PREFIX}${restore}-${item.n}.old`
      const moved = await inRealFolder(root, folder, (fs) => {
        const name = nameOf(item.path)
        const now = fs.stat(name)
        if (!isUntouched(state, now, item)) return false
        renameSync(fs.absolute(name), fs.absolute(aside))
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

async function makeFolders(state: ApplyState): Promise<void> {
  const { root, point } = state.options
  let made = 0
  await each(
    state,
    (item) => item.after.kind === 'dir' && item.action !== 'mode',
    async (item) => {
      const folder = parentOf(item.path)
      const found = await inRealFolder(root, folder, async (fs) => {
        if (isNameFree(state, item, fs)) await makeFolder(state, item, fs)
        return true
      })
      if (!found) fail(state, item, { code: 'not-a-folder', path: folder })
      state.touchedFolders.add(parentOf(item.path))
      point?.(`made:${++made}`)
    }
  )
}

async function placeFiles(state: ApplyState): Promise<void> {
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
  renameOver(staging.absolute(nameOf(temp)), target)
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

async function makeFolder(state: ApplyState, item: ApplyItem, folder: WorkspaceFs): Promise<void> {
  const path = folder.absolute(nameOf(item.path))
  try {
    await mkdir(path, NEW_FOLDER_MODE)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const present = folder.stat(nameOf(item.path))
    if (present?.kind === 'dir') return
    if (present) throw error
    // EEXIST without an entry: a FUSE file system still caches a removed spelling of the name. A rename updates its
    // cache.
    const temp = folder.absolute(`${OWN_PREFIX}${state.options.restore}-${item.n}.new`)
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
      if (item.movedTo && state.results.has(item.movedTo.n)) {
        fail(state, item, { code: 'not-moved', path: item.movedTo.path }, 'kept')
        return
      }
      // The path may have been moved aside together with a folder above it.
      const moved = [...state.aside].find(([path]) => path !== item.path && isWithin(item.path, path))
      const location = moved ? moved[1] + item.path.slice(moved[0].length) : item.path
      const found = await inRealFolder(root, parentOf(location), async (fs) => {
        const path = fs.absolute(nameOf(location))
        const now = fs.stat(nameOf(location))
        const file = now && identityOf(path)
        if (!file || state.written.has(file)) return false
        if (item.before.kind === 'dir') await removeFolder(state, item, path, absent)
        else if (isUntouched(state, now, item)) {
          state.unlinked.add(now.ino)
          unlinkAny(path)
        } else fail(state, item, CHANGED)
        return true
      })
      if (!found) return
      state.touchedFolders.add(parentOf(item.path))
      point?.(`removed:${++removed}`)
    },
    'deepest first'
  )
  // Also of items that failed since: their old content returns to its name.
  const aside = items.filter((item) => state.aside.has(item.path))
  const recorded = new Map(items.map(({ path, before }) => [path, before]))
  await eachWhenFree(
    patience,
    aside,
    async (item) => {
      const aside = nameOf(state.aside.get(item.path) as string)
      const disposed = await inRealFolder(root, parentOf(item.path), async (fs) => {
        const name = await disposeOfAside(fs, aside, item.path, recorded)
        if (name !== null) state.notes.set(item.n, { code: 'kept-beside', name })
        return true
      })
      if (!disposed) return
      state.aside.delete(item.path)
      point?.(`removed:${++removed}`)
    },
    failWith(state)
  )
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
      const isChanged = await inRealFolder(root, parentOf(item.path), (fs) =>
        withEntry(fs.absolute(nameOf(item.path)), (path, now) => {
          if (now?.kind !== item.after.kind || (item.action === 'mode' && now.ino !== item.expected?.ino)) return false
          setMode(state, path, item.after.mode)
          if (item.action === 'mkdir') preserveOwner(fs.absolute(''), (uid, gid) => chownSync(path, uid, gid))
          return true
        })
      )
      if (!isChanged) {
        fail(state, item, CHANGED)
        return
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
  const { root } = state.options
  const touched = [...state.touchedFolders]
  if (touched.length >= MANY_FILES && (await syncTogether(root, touched))) return
  await inParallel(touched, IN_FLIGHT, async (path) => {
    try {
      const folder = await open(absoluteOf(root, path), FOLDER_ONLY)
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
