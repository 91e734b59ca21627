/** Compares what is on disk with a recorded version by its bytes. */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import { readStable } from '../files/stable-read.ts'
import { sha256 } from '../store/hash.ts'

/**
 * Whether the file or link at an absolute path has the content of `version`. Permissions are not compared. Large files are
 * hashed piece by piece, so memory stays flat. False for a file that keeps changing while it is read.
 */
export function hasContentOf(absolute: string, version: FileVersion): boolean {
  const digest = createHash('sha256')
  const read = readStable(absolute, Number.POSITIVE_INFINITY, {
    restart: () => {},
    piece: (piece) => digest.update(piece)
  })
  if (read.result === 'link') return version.kind === 'symlink' && read.target === version.target
  if (version.kind !== 'file' || version.hash === null) return false
  const hash = read.result === 'bytes' ? sha256(read.bytes) : read.result === 'pieces' ? digest.digest() : null
  return hash?.toString('hex') === version.hash
}
