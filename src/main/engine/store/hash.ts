/** SHA-256, the name of content. A module of its own so that the workers of the initial snapshot load no database. */
import { hash } from 'node:crypto'

let pureHash: ((bytes: Uint8Array) => Uint8Array) | null = null
let pureBytesLeft = 0

export function sha256(bytes: Uint8Array): Buffer {
  if (pureHash && bytes.length <= pureBytesLeft) {
    pureBytesLeft -= bytes.length
    return Buffer.from(pureHash(bytes))
  }
  return hash('sha256', bytes, 'buffer')
}

/**
 * For a process that handles one event and exits: `implementation` (pure JavaScript, same 32 bytes) hashes the first
 * `bytes` bytes, because loading OpenSSL through node:crypto takes longer than that.
 */
export function hashLightly(implementation: (bytes: Uint8Array) => Uint8Array, bytes: number): void {
  pureHash = implementation
  pureBytesLeft = bytes
}
