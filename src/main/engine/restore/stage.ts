/** [RS-4] First phase: everything that will be written lies ready, and nothing visible has changed. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lchownSync,
  openSync,
  symlinkSync,
  writeSync
} from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { DriftlineError } from '../../../contract/errors.ts'
import { absoluteOf, childOf, createInside, OWN_PREFIX, parentOf } from '../files/inside.ts'
import { keepOwner } from '../files/keep-owner.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { inParallel } from '../ports/parallel.ts'
import { type ApplyItem, type ApplyState, fail, IN_FLIGHT, isContent, setMode } from './apply-state.ts'
import { refusedBySystem } from './refused-by-system.ts'

/** Writes every new file and link under a name of ours beside its target, fsynced. Throws DiskFull or Refused; `dropStaged` cleans up. */
export async function stage(state: ApplyState): Promise<void> {
  const { options } = state
  const gone = options.items.filter((item) => item.after.kind !== 'dir').map((item) => item.path)
  const goneSet = new Set(gone)
  let done = 0
  await inParallel(options.items.filter(isContent), IN_FLIGHT, async (item) => {
    // Looked at anew for each: nothing is ever staged behind a folder that has just become a link (CP-4).
    const inside = createInside(options.root)
    let folder = parentOf(item.path)
    while (folder !== '' && (goneSet.has(folder) || inside.look(folder)?.kind !== 'dir')) folder = parentOf(folder)
    for (;;) {
      const temp = childOf(folder, `${OWN_PREFIX}${options.restore}-${item.n}.new`)
      state.staged.set(item.n, temp)
      try {
        await stageOne(state, item, absoluteOf(options.root, temp), absoluteOf(options.root, folder))
        break
      } catch (error) {
        if (item.after.kind === 'symlink' && NO_LINKS.includes(errorCode(error))) {
          state.staged.delete(item.n)
          fail(state, item, 'it is a link, and links cannot be made here')
          break
        }
        // Our name is longer than the one it is for: higher up there is room.
        if (errorCode(error) !== 'ENAMETOOLONG' || folder === '') throw staging(item, error)
        folder = parentOf(folder)
      }
    }
    options.progress('stage', ++done, item.path)
  })
}

/** The disk has no links, or the system lets this account make none. */
const NO_LINKS = ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM']

const synced = promisify(fsync)

/** Only the fsync is waited for: it is what takes long, and many are in flight. The rest is quicker done than handed over. */
async function stageOne(state: ApplyState, item: ApplyItem, temp: string, folder: string): Promise<void> {
  if (item.after.kind === 'symlink') {
    symlinkSync(item.after.target as string, temp)
    keepOwner(ownerOf(state, item, folder), (uid, gid) => lchownSync(temp, uid, gid))
    return
  }
  const file = openSync(
    temp,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0),
    0o600
  )
  try {
    // Pieces come one by one from the store; each is written before the next is unpacked, so memory stays flat.
    state.options.content(item, (piece) => {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    })
    keepOwner(ownerOf(state, item, folder), (uid, gid) => fchownSync(file, uid, gid))
    const { mode } = item.after
    setMode(
      state,
      mode,
      () => fchmodSync(file, mode),
      () => fstatSync(file).mode
    )
    await synced(file)
  } finally {
    closeSync(file)
  }
}

function ownerOf(state: ApplyState, item: ApplyItem, folder: string): string {
  return item.expected ? absoluteOf(state.options.root, item.path) : folder
}

function staging(item: ApplyItem, error: unknown): Error {
  if (error instanceof DriftlineError) return error
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new DriftlineError(
      'DiskFull',
      `There is no space left to write ${item.path}. Nothing was changed. Free some space and try again.`,
      { path: item.path }
    )
  }
  return new DriftlineError(
    'Refused',
    `${item.path} cannot be written: ${refusedBySystem(error)}. Nothing was changed.`,
    { path: item.path, code }
  )
}

/** Takes away what is staged; what the system does not let go of, or lies behind a link now, stays in `staged`. */
export async function dropStaged(state: ApplyState): Promise<void> {
  const { root } = state.options
  for (const [n, temp] of state.staged) {
    try {
      const inside = createInside(root)
      if (!inside.isFolder(parentOf(temp))) continue
      if (inside.look(temp)) await unlink(absoluteOf(root, temp))
      state.staged.delete(n)
    } catch (error) {
      // The journal remembers it: recovering takes it away.
      refusedBySystem(error)
    }
  }
}
