/** Writes a file that a person named for an export: what is at its name stays until all of the new bytes are written. */
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { whenFreeSync } from '../engine/files/in-use.ts'

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/**
 * Replaces a file in one step; a device or pipe is written to. When it fails, no part of a file stays. Without `replace`
 * it throws EEXIST where something exists.
 */
export async function writeExport(path: string, pieces: Pieces, { replace = true } = {}): Promise<void> {
  const found = replace ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (found && !found.isFile()) return writePieces(openSync(path, 'w'), pieces)
  // Through a link, to the file that it names.
  const target = found ? realpathSync(path) : path
  const written = found ? `${target}.${process.pid}.part` : path
  const handle = openSync(written, 'wx', found ? found.mode & 0o777 : 0o666)
  try {
    await writePieces(handle, pieces)
    if (found) whenFreeSync(() => renameSync(written, target))
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

async function writePieces(handle: number, pieces: Pieces): Promise<void> {
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece)
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    }
  } finally {
    closeSync(handle)
  }
}
