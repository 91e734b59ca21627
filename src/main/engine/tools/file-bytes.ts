/**
 * Reads a file for a tool: all of it, unchanged while it was read. Refuses what is no regular file, without opening it.
 */
import { type NamedPath, refusal } from '../files/named-path.ts'
import { nameOf } from '../files/paths.ts'
import { openParent } from '../files/replace-file.ts'
import type { Signature } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'
import { refusePath } from './prepared-use.ts'

/** Larger files are not stored, so a change to them could not be undone. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

/** [CP-4] Reads in the open folder. `purpose` completes messages, for example "to read". Throws Refused. */
export function readFileBytes(
  root: string,
  named: NamedPath,
  purpose: string
): { bytes: Uint8Array; signature: Signature } {
  const { path } = named
  requireFile(named, purpose)
  using folder = openParent(root, path)
  let pieces: Buffer[] = []
  const read = readStable(folder.absolute(nameOf(path)), MAX_FILE_BYTES, {
    restart: () => {
      pieces = []
    },
    piece: (bytes) => pieces.push(Buffer.from(bytes))
  })
  switch (read.result) {
    case 'bytes':
      return { bytes: read.bytes, signature: read.signature }
    case 'pieces':
      return { bytes: Buffer.concat(pieces), signature: read.signature }
    case 'too-large':
      throw refusePath(path, 'too-large', 'is larger than 50 MB. Use another tool for it.')
    case 'changing':
      throw refusePath(path, 'changed', 'keeps changing while it is read. Nothing was changed; try again later.')
    case 'unreadable':
      throw refusal('unreadable', `No permission to read ${path}.`, { path })
    default:
      throw refusal('changed', `Another program changed ${path} at this moment. Nothing was changed; try again.`, {
        path
      })
  }
}

/** Throws Refused when the path is missing or no regular file. */
export function requireFile({ path, stat }: NamedPath, purpose: string): void {
  if (!stat)
    throw refusal('missing', `There is no ${path} ${purpose}. Check the path; it is relative to the recorded folder.`, {
      path
    })
  if (stat.kind === 'dir') throw refusePath(path, 'is-a-folder', `is a folder. Name a file ${purpose}.`)
  if (stat.kind !== 'file') throw refusePath(path, 'special', 'is a device, a pipe or a socket. It is not opened.')
}
