/**
 * Reads many versions whose deltas build on each other, each unpacked once. Hashes are not checked (ST-1), so the result
 * may be searched or compared and must never be written to a file.
 */
import type { ContentId, ContentRows } from './content-rows.ts'

/** Bytes held unpacked; the oldest go first. */
const CACHE_BYTES = 32 * 1024 * 1024

/** Reads content that is not chunked. */
export function createUnverifiedReader(rows: ContentRows): (id: ContentId) => Buffer {
  const unpacked = new Map<ContentId, Buffer>()
  let held = 0
  const read = (id: ContentId): Buffer => {
    const cached = unpacked.get(id)
    if (cached) return cached
    const bytes = rows.unpack(rows.row(id), read)
    held += bytes.length
    for (const [oldest, { length }] of unpacked) {
      if (held <= CACHE_BYTES) break
      unpacked.delete(oldest)
      held -= length
    }
    unpacked.set(id, bytes)
    return bytes
  }
  return read
}
