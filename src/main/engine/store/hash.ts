/** SHA-256, the name of content. A module of its own so that the workers of the initial snapshot load no database. */
import { hash } from 'node:crypto'

/** In hexadecimal digits, as a version names it. */
export function sha256Text(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
