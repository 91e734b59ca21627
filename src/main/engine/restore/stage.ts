/**
 * [RS-4] First phase of a restore: writes every new file under a temporary name and makes it durable. Nothing visible
 * changes, so running out of space or permissions here costs nothing.
 */
import {
  closeSync,
  constants,
  fchownSync,
  fsync,
  lchownSync,
  lstatSync,
  openSync,
  type Stats,
  symlinkSync,
  writeSync
} from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isWithoutLinks } from '../files/fs-errors.ts'
import { eachWhenFree, whenFree } from '../files/in-use.ts'
import { childOf, nameOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { inRealFolder, type OpenFolders, openFolders } from '../files/pinned-folder.ts'
import { unlinkAny } from '../files/read-only.ts'
import { giveOwner, type Owner, ownerToKeep } from '../files/replace-file.ts'
import { sameSignature, signatureOf } from '../files/signature.ts'
import { type DiskSync, MANY_FILES, openDiskSync } from '../files/sync-disks.ts'
import { absoluteOf, type WorkspaceFs } from '../files/workspace-fs.ts'
import { log } from '../ports/log.ts'
import { inParallel } from '../ports/parallel.ts'
import { type ApplyItem, type ApplyState, fail, IN_FLIGHT, isContent, setMode } from './apply-state.ts'
import { fsErrorReason, fsErrorText } from './fs-error-reason.ts'

/** Writes all new files and links beside their targets, durably. Throws DiskFull or Refused; call `removeStaged` then. */
export async function stage(state: ApplyState): Promise<void> {
  const items = state.options.items.filter(isContent)
  const disk = items.length >= MANY_FILES ? await diskOf(state) : null
  await stageAll(state, items, disk)
  if (!disk || (await disk.sync(absolutes(state, new Set([...state.staged.values()].map(parentOf)))))) return
  await removeStaged(state)
  await stageAll(state, items, null)
}

/** What syncs the disk of the folder as a whole; null where nothing does. */
export async function diskOf(state: ApplyState): Promise<DiskSync | null> {
  const { root } = state.options
  state.disk ??= openDiskSync(root, (reason) =>
    log.warn(`a sync of the disk of ${root} failed, so each file is synced by itself`, reason)
  )
  return state.disk
}

export function absolutes({ options }: ApplyState, folders: Iterable<string>): string[] {
  return [...folders].map((folder) => absoluteOf(options.root, folder))
}

/** How many files are staged before the disk begins to write them, while the next are staged. */
const PART = 256
/** How many before other work of this thread runs. */
const PER_TURN = 64

/** `disk`: that on which the caller makes the files durable at the end; null: each is synced by itself. */
async function stageAll(state: ApplyState, items: readonly ApplyItem[], disk: DiskSync | null): Promise<void> {
  const { options } = state
  // A folder that the plan removes or replaces cannot hold a staged file: it would be moved or block the removal. One
  // that the plan makes may be found on a folding disk, in the spelling that is moved aside. One that it makes writable
  // is not yet.
  const isFolderFor = ({ before, after }: ApplyItem): boolean =>
    before.kind === 'dir' && after.kind === 'dir' && (before.mode & 0o200) !== 0
  const noFolder = new Set(options.items.filter((item) => !isFolderFor(item)).map(({ path }) => path))
  // One that is moved meanwhile keeps the files that were staged in it before, too.
  using folders = openFolders(options.root, { evenMoved: true })
  let done = 0
  let turn: Promise<void> | undefined
  await inParallel(items, IN_FLIGHT, async (item) => {
    let folder = parentOf(item.path)
    for (;;) {
      while (folder !== '' && noFolder.has(folder)) folder = parentOf(folder)
      const temp = childOf(folder, `${OWN_PREFIX}${options.restore}-${item.n}.new`)
      state.staged.set(item.n, temp)
      try {
        if (await stageItem(state, item, { folders, temp, isSynced: disk === null })) break
        folder = parentOf(folder)
      } catch (error) {
        if (item.after.kind === 'symlink' && isWithoutLinks(error)) {
          state.staged.delete(item.n)
          fail(state, item, { code: 'no-links' })
          break
        }
        // The temporary name can be longer than the target's: in the folder above the path is shorter. Or the folder is gone.
        if (!['ENAMETOOLONG', 'ENOENT'].includes(errorCode(error)) || folder === '') throw stageError(item, error)
        folder = parentOf(folder)
      }
    }
    options.progress('stage', ++done, item.path)
    if (done % PART === 0) void disk?.sync([options.root])
    // Without an fsync of each, nothing here waits for the system.
    if (disk && done % PER_TURN === 0) turn = nextTurn()
    await turn
  })
}

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)
const fsyncAsync = promisify(fsync)

/**
 * False if the folder of `temp` is no real folder any more. Only fsync is asynchronous: it takes long, so many are in
 * flight. The other calls are faster than a trip to the thread pool.
 */
async function stageItem(
  state: ApplyState,
  item: ApplyItem,
  { folders, temp, isSynced }: { folders: OpenFolders; temp: string; isSynced: boolean }
): Promise<boolean> {
  // In one step: during a pause the next item may close the folder.
  const made = await whenFree(state.options.patience, () => {
    const folder = folders.open(parentOf(temp))
    return folder && make(state, item, folder, nameOf(temp))
  })
  if (made?.file == null) return made !== null
  const { file, owner } = made
  try {
    // The store decompresses piece by piece; each is written before the next, so memory stays flat.
    state.options.content(item, (piece) => {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    })
    if (owner) giveOwner(owner, (uid, gid) => fchownSync(file, uid, gid))
    setMode(state, file, item.after.mode)
    if (isSynced) await fsyncAsync(file)
    return true
  } finally {
    closeSync(file)
  }
}

/** A link is finished, `file` is null then; a file is open and empty. */
function make(
  state: ApplyState,
  item: ApplyItem,
  folder: WorkspaceFs,
  name: string
): { readonly file: number | null; readonly owner: Owner | null } {
  const temp = folder.absolute(name)
  const owner = ownerToKeep(ownerSource(state, item, folder), state.user)
  // Without setuid and the like, which its owner has to be given first.
  if (item.after.kind === 'file') return { file: openSync(temp, NEW_FILE, item.after.mode & 0o777), owner }
  symlinkSync(item.after.target as string, temp)
  if (owner) giveOwner(owner, (uid, gid) => lchownSync(temp, uid, gid))
  return { file: null, owner }
}

/** Whose owner a new file gets: that of the file it replaces, else of the folder. */
function ownerSource(state: ApplyState, { path, expected, stats }: ApplyItem, folder: WorkspaceFs): Stats {
  if (!expected) return lstatSync(folder.absolute(''))
  // Another owner would have changed the ctime, which the checks before each change compare.
  const isKnown = stats !== null && sameSignature(signatureOf(stats), expected)
  return isKnown ? stats : lstatSync(absoluteOf(state.options.root, path))
}

function stageError(item: ApplyItem, error: unknown): Error {
  if (error instanceof DriftlineError) return error
  const code = errorCode(error)
  const { path } = item
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const message = `Not enough disk space to write ${path}. Nothing was changed. Free some space and retry.`
    return new DriftlineError('DiskFull', message, { path })
  }
  const message = `Couldn't write ${path}: ${fsErrorText(error)}. Nothing was changed.`
  return new DriftlineError('Refused', message, { path, code })
}

/** Deletes staged files. Those that cannot be deleted, or are behind a link now, stay in `staged`. */
export async function removeStaged(state: ApplyState): Promise<void> {
  const { root, patience } = state.options
  const staged = [...state.staged].map(([n, path]) => ({ n, path }))
  const remove = async ({ n, path }: (typeof staged)[number]): Promise<void> => {
    await inRealFolder(root, parentOf(path), (fs) => {
      if (fs.stat(nameOf(path))) unlinkAny(fs.absolute(nameOf(path)))
      state.staged.delete(n)
    })
  }
  // A file that stays keeps the journal open, and a recovery deletes it.
  await eachWhenFree(patience, staged, remove, (_, error) => void fsErrorReason(error))
}
