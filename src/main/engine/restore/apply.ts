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
 *   sync     make every folder that changed durable; meanwhile,
 *   verify   read everything back (RS-5)
 *
 * Each file is replaced by rename(2), so a reader, or a crash, finds the old or the new content and never a part.
 * Another process can still change a path between the last lstat and the rename or unlink; POSIX has no call that
 * closes this gap. It is kept to two system calls, and the guard holds the content that was recorded before. A folder
 * that is swapped for a link in that moment leads nowhere else: both calls use the folder itself (pinned-folder.ts).
 */
import { chownSync, constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ItemReason } from '../../../contract/restore.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { nameOf, parentOf } from '../files/paths.ts'
import { inRealFolder, withEntry } from '../files/pinned-folder.ts'
import { preserveOwner } from '../files/replace-file.ts'
import { MANY_FILES } from '../files/sync-disks.ts'
import { absoluteOf, createWorkspaceFs } from '../files/workspace-fs.ts'
import { inParallel } from '../ports/parallel.ts'
import { type AppliedItem, type ApplyItem, type ApplyState, deviceOf, fail, IN_FLIGHT, setMode } from './apply-state.ts'
import { CHANGED, each } from './apply-step.ts'
import { moveAside } from './aside.ts'
import { fsErrorReason } from './fs-error-reason.ts'
import { makeFolders, placeFiles } from './place.ts'
import { refuseUnrecordedContent, resolveSpellingCollisions, verifyUnchanged } from './preflight.ts'
import { removeFiles } from './remove.ts'
import { absolutes, diskOf, removeStaged, stage } from './stage.ts'
import { verifyWritten } from './verify-written.ts'

/**
 * Applies the items of a new state. Throws PlanStale, DiskFull or Refused with nothing changed; after the checks it
 * returns a result for every item. The state tells what else happened, also when it throws.
 */
export async function applyPlan(state: ApplyState): Promise<AppliedItem[]> {
  try {
    return await applyInPhases(state)
  } finally {
    ;(await state.disk)?.[Symbol.dispose]()
  }
}

async function applyInPhases(state: ApplyState): Promise<AppliedItem[]> {
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
  const [unsynced] = await Promise.all([syncFolders(state), verifyWritten(state)])
  failUnsynced(state, unsynced)
  // If the root is gone or on another device now, its content is unknown, and a recovery has to examine it.
  state.leftover = state.staged.size + state.aside.size > 0 || deviceOf(options.root) !== state.device
  options.point?.('verified')
  return options.items.map((item) => state.results.get(item.n) as AppliedItem)
}

function mayStillExist(state: ApplyState, temp: string): boolean {
  try {
    return createWorkspaceFs(state.options.root).isFolder(parentOf(temp))
  } catch (error) {
    fsErrorReason(error)
    return true
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

/**
 * Makes renames and removals durable: fsync(2) of a file does not cover its entry in the folder. Returns why folders may not
 * be durable.
 */
async function syncFolders(state: ApplyState): Promise<Map<string, ItemReason>> {
  const { root } = state.options
  const touched = [...state.touchedFolders]
  const unsynced = new Map<string, ItemReason>()
  const disk = touched.length >= MANY_FILES ? await diskOf(state) : null
  if (await disk?.sync(absolutes(state, touched))) return unsynced
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
      unsynced.set(path, fsErrorReason(error))
    }
  })
  return unsynced
}

/** What was read back from a folder that may not be durable has failed. */
function failUnsynced(state: ApplyState, unsynced: ReadonlyMap<string, ItemReason>): void {
  if (unsynced.size === 0) return
  for (const item of state.options.items) {
    const reason = unsynced.get(parentOf(item.path))
    if (reason && state.results.get(item.n)?.result === 'done') fail(state, item, reason)
  }
}
