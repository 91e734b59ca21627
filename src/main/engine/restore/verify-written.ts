/**
 * Last phase of a restore: reads everything back (RS-5). Invariant: `done` means that the disk has the planned bytes,
 * kind and mode, whatever the calls before returned. Only reads.
 */
import { createHash, type Hash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import type { ItemReason } from '../../../contract/restore.ts'
import { eachWhenFree, isInUse } from '../files/in-use.ts'
import { isLocalDisk } from '../files/local-disk.ts'
import { parentOf } from '../files/paths.ts'
import { statAtOf } from '../files/racy-times.ts'
import type { Signature } from '../files/signature.ts'
import { PIECE, readStable } from '../files/stable-read.ts'
import { absoluteOf, createWorkspaceFs } from '../files/workspace-fs.ts'
import { sha256Text } from '../store/hash.ts'
import { type ApplyItem, type ApplyState, fail, failed } from './apply-state.ts'
import { fsErrorReason } from './fs-error-reason.ts'

/** [RS-5] Sets the result of every item that has none: what is on disk decides, not which calls succeeded. */
export async function verifyWritten(state: ApplyState): Promise<void> {
  const { root, items, patience, progress } = state.options
  const fs = createWorkspaceFs(root)
  const space = Buffer.allocUnsafeSlow(PIECE + 1)
  const areLocal = new Map<string, boolean>()
  // A file that was put into a folder is on its disk.
  const isLocal = (folder: string): boolean => {
    const known = areLocal.get(folder) ?? isLocalDisk(fs.absolute(folder))
    areLocal.set(folder, known)
    return known
  }
  let done = 0
  const count = (item: ApplyItem): void => progress('verify', ++done, item.path)
  const verify = (item: ApplyItem): void => {
    if (!failed(state, item)) {
      const readAt = Date.now()
      const signature = fs.stat(item.path)
      const statAt = signature ? statAtOf(signature, readAt, () => isLocal(parentOf(item.path))) : readAt
      const mismatch = findMismatch(root, item, signature, { modes: state.supportsModes, space })
      if (mismatch) fail(state, item, mismatch)
      else {
        const reason = state.notes.get(item.n) ?? null
        state.results.set(item.n, { n: item.n, path: item.path, result: 'done', reason, signature, statAt })
      }
    }
    count(item)
  }
  await eachWhenFree(patience, items, verify, (item, error) => {
    fail(state, item, { code: 'not-readable', why: fsErrorReason(error) })
    count(item)
  })
}

/** Null if the path is on disk as `after`. */
function findMismatch(
  root: string,
  item: Pick<ApplyItem, 'path' | 'after'>,
  now: Signature | null,
  { modes, space }: { readonly modes: boolean; readonly space: Buffer }
): ItemReason | null {
  const { after } = item
  if (after.kind === 'absent') return now === null ? null : { code: 'still-there' }
  if (!now) return { code: 'missing' }
  if (now.kind !== after.kind) return { code: 'other-kind', kind: now.kind, wanted: after.kind }
  if (modes && after.kind !== 'symlink' && now.mode !== after.mode) return { code: 'other-mode' }
  if (after.kind === 'dir' || hasContentOf(absoluteOf(root, item.path), after, { known: now, space })) return null
  return { code: after.kind === 'symlink' ? 'other-link' : 'other-content' }
}

/**
 * Whether the file or link at an absolute path has the content of `version`. Permissions are not compared. Large files
 * are hashed piece by piece, so memory stays flat. False for a file that keeps changing while it is read. Throws for
 * one in use. `memory`: as of `readStable`.
 */
export function hasContentOf(
  absolute: string,
  version: FileVersion,
  memory?: Parameters<typeof readStable>[3]
): boolean {
  let digest = null as Hash | null
  const sink = {
    restart: () => {
      digest = createHash('sha256')
    },
    piece: (piece: Buffer) => void digest?.update(piece)
  }
  const read = readStable(absolute, Number.POSITIVE_INFINITY, sink, memory)
  if (read.result === 'unreadable' && isInUse(read.error)) throw read.error
  if (read.result === 'link') return version.kind === 'symlink' && read.target === version.target
  if (version.kind !== 'file' || version.hash === null) return false
  const hash =
    read.result === 'bytes' ? sha256Text(read.bytes) : read.result === 'pieces' ? digest?.digest('hex') : null
  return hash === version.hash
}
