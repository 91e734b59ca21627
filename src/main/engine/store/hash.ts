/** The name of content: its SHA-256. Apart from content.ts so that the first copy's workers load no database. */
import { hash } from 'node:crypto'

let light: ((bytes: Uint8Array) => Uint8Array) | null = null
let lightBytes = 0

export function sha256(bytes: Uint8Array): Buffer {
  if (light && bytes.length <= lightBytes) {
    lightBytes -= bytes.length
    return Buffer.from(light(bytes))
  }
  return hash('sha256', bytes, 'buffer')
}

/**
 * For a process that lives for one event: its first `bytes` are hashed by `implementation`, because loading node:crypto
 * takes longer. It has to give the same 32 bytes.
 */
export function hashLightly(implementation: (bytes: Uint8Array) => Uint8Array, bytes: number): void {
  light = implementation
  lightBytes = bytes
}
