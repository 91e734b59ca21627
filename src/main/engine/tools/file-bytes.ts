/** The bytes of a file a tool was given, read at one moment; what is no regular file is refused and never opened. */
import type { NamedPath } from '../files/named-path.ts'
import { refusal } from '../files/named-path.ts'
import type { Signature } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'

/** Larger files are not kept, so a change could not be taken back. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

export interface FileBytes {
  readonly bytes: Uint8Array
  readonly signature: Signature
}

/** `doing`: what was to be done with it, for sentences such as "to read". Throws Refused. */
export function readFileBytes(named: NamedPath, doing: string): FileBytes {
  const { path, absolute } = named
  requireFile(named, doing)
  let pieces: Buffer[] = []
  const read = readStable(absolute, MAX_FILE_BYTES, {
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
      throw refusal('too-large', `${path} is larger than 50 MB, so it is left to other tools.`, { path })
    case 'changing':
      throw refusal('changed', `${path} keeps changing while it is read. Nothing was changed; try again later.`, {
        path
      })
    case 'unreadable':
      throw refusal('unreadable', `There is no permission to read ${path}.`, { path })
    default:
      throw refusal('changed', `${path} was changed by somebody else at this moment. Nothing was changed; try again.`, {
        path
      })
  }
}

/** Throws Refused for what is no regular file. */
export function requireFile({ path, stat }: NamedPath, doing: string): void {
  if (!stat)
    throw refusal('missing', `There is no ${path} ${doing}. Check the path; it counts from the recorded folder.`, {
      path
    })
  if (stat.kind === 'dir') throw refusal('is-a-folder', `${path} is a folder. Name a file ${doing}.`, { path })
  if (stat.kind !== 'file')
    throw refusal('special', `${path} is a device, a pipe or a socket. It is not opened.`, { path })
}
