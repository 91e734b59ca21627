/** The name of content: its SHA-256. Apart from content.ts so that the first copy's workers load no database. */
import { hash } from 'node:crypto'

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
