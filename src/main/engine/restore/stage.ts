/** [RS-4] First phase: everything that will be written lies ready, and nothing visible has changed. */
import { constants, writeSync } from 'node:fs'
import { lchown, lstat, open, symlink, unlink } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import { absoluteOf, childOf, createInside, OWN_PREFIX, parentOf } from '../files/inside.ts'
import { errorCode, isAbsence } from '../ports/fs-errors.ts'
import { inParallel } from '../ports/parallel.ts'
import { type ApplyItem, type ApplyState, IN_FLIGHT, isContent } from './apply-state.ts'

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
    const temp = absoluteOf(options.root, childOf(folder, `${OWN_PREFIX}${options.restore}-${item.n}.new`))
    state.staged.set(item.n, temp)
    try {
      await stageOne(state, item, temp, absoluteOf(options.root, folder))
    } catch (error) {
      throw staging(item, error)
    }
    options.progress('stage', ++done, item.path)
  })
}

async function stageOne(state: ApplyState, item: ApplyItem, temp: string, folder: string): Promise<void> {
  if (item.after.kind === 'symlink') {
    await symlink(item.after.target as string, temp)
    await keepOwner(state, item, { chown: (uid, gid) => lchown(temp, uid, gid) }, folder)
    return
  }
  const file = await open(
    temp,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0),
    0o600
  )
  try {
    if (item.after.size <= 1 << 20) {
      const pieces: Buffer[] = []
      state.options.content(item, (piece) => pieces.push(piece))
      for (const piece of pieces) await file.writeFile(piece)
    } else {
      // Pieces come synchronously from the store; each is written before the next is unpacked, so memory stays flat.
      state.options.content(item, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(file.fd, piece, at)
      })
    }
    await keepOwner(state, item, file, folder)
    await file.chmod(item.after.mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** As root a restored file keeps the owner of what it replaces, or of its folder. */
async function keepOwner(
  state: ApplyState,
  item: ApplyItem,
  file: { chown(uid: number, gid: number): Promise<void> },
  folder: string
): Promise<void> {
  if (process.getuid?.() !== 0) return
  const model = item.expected ? absoluteOf(state.options.root, item.path) : folder
  const { uid, gid } = await lstat(model)
  if (uid !== 0 || gid !== 0) await file.chown(uid, gid)
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
  if (code === '') throw error
  return new DriftlineError('Refused', `${item.path} cannot be written (${code}). Nothing was changed.`, {
    path: item.path,
    code
  })
}

export async function dropStaged(state: ApplyState): Promise<void> {
  for (const temp of state.staged.values()) {
    await unlink(temp).catch((error: unknown) => {
      if (!isAbsence(error)) throw error
    })
  }
  state.staged.clear()
}
