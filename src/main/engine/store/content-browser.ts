/** For looking through many versions that are packed one on the other: each is unpacked once. */
import type { ContentId, ContentRows } from './content-rows.ts'

/** Bytes kept unpacked. */
const HELD = 32 * 1024 * 1024

/** Reads content that is not in pieces. Not verified, so never for writing. */
export function browseContent(rows: ContentRows): (id: ContentId) => Buffer {
  const unpacked = new Map<ContentId, Buffer>()
  let held = 0
  const read = (id: ContentId): Buffer => {
    const known = unpacked.get(id)
    if (known) return known
    const bytes = rows.unpack(rows.row(id), read)
    held += bytes.length
    for (const [old, { length }] of unpacked) {
      if (held <= HELD) break
      unpacked.delete(old)
      held -= length
    }
    unpacked.set(id, bytes)
    return bytes
  }
  return read
}
