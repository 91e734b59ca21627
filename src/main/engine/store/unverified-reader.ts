/**
 * Reads many versions whose deltas build on each other, each unpacked once. Not for chunked content. Hashes are not
 * checked (ST-1), so the result may be searched or compared and must never be written to a file.
 */
import { createByteCache } from './byte-cache.ts'
import { MAX_ROW_SIZE, SHARED, SPLICE } from './codec.ts'
import { type ContentId, contentRow, type PackedRow, unpackRow } from './content-rows.ts'
import { insertedBytes } from './splice.ts'
import { type Readable, tuples } from './sql.ts'

export interface UnverifiedReader {
  /** Throws as `unpackRow`. */
  read(id: ContentId): Buffer
  /**
   * Reads the rows of contents that are needed next, and of those they are built on: one query takes a quarter of the time
   * of one for each.
   */
  readAhead(ids: readonly ContentId[]): void
  /**
   * The bytes [from, to) of a content that are not those of its base; null if that is not known without comparing them.
   * Only for rows read ahead.
   */
  changedBytes(id: ContentId): { readonly base: ContentId; readonly from: number; readonly to: number } | null
}

/** Bytes held unpacked. */
const UNPACKED_BYTES = 32 * 1024 * 1024
/** Bytes read ahead, packed. */
const AHEAD_BYTES = 8 * 1024 * 1024

/** Rows that are read one by one take twice as long; all of these may be large. */
const ROWS_AT_ONCE = 64
type Row = readonly [id: ContentId, codec: number, base: ContentId | null, size: number, bytes: Buffer | string | null]

/** Bytes. Fewer come as text: a Buffer takes better-sqlite3 longer to make than the rest of the row. */
const SMALL = 256
const ROWS = `SELECT id, codec, base, size,
    CASE WHEN length(bytes) <= ${SMALL} THEN hex(bytes) WHEN length(bytes) <= ${MAX_ROW_SIZE} THEN bytes END
  FROM content WHERE id IN (SELECT value FROM json_each(?)) AND codec <> ${SHARED}`

export function createUnverifiedReader(store: Readable): UnverifiedReader {
  const unpacked = createByteCache<ContentId, Buffer>(UNPACKED_BYTES)
  const ahead = new Map<ContentId, PackedRow>()
  const readAt = (id: ContentId, above: number): Buffer => {
    const cached = unpacked.get(id)
    if (cached) return cached
    const bytes = unpackRow(ahead.get(id) ?? contentRow(store, id), readAt, above)
    unpacked.add(id, bytes)
    return bytes
  }
  return {
    read: (id) => readAt(id, 0),
    readAhead: (ids) => {
      ahead.clear()
      let held = 0
      // Then the rows that those just read are built on, and so on.
      for (let needed = new Set(ids); needed.size > 0 && held <= AHEAD_BYTES; ) {
        const bases = new Set<ContentId>()
        const all = [...needed]
        for (let n = 0; n < all.length && held <= AHEAD_BYTES; n += ROWS_AT_ONCE)
          for (const [id, codec, base, size, stored] of tuples<Row>(
            store,
            ROWS,
            JSON.stringify(all.slice(n, n + ROWS_AT_ONCE))
          )) {
            const bytes = typeof stored === 'string' ? Buffer.from(stored, 'hex') : stored
            ahead.set(id, { id, codec, base, size, bytes })
            held += bytes?.length ?? 0
            if (base !== null) bases.add(base)
          }
        needed = new Set([...bases].filter((base) => !ahead.has(base) && !unpacked.has(base)))
      }
    },
    changedBytes: (id) => {
      const row = ahead.get(id)
      return row?.codec === SPLICE && row.base !== null && row.bytes
        ? { base: row.base, ...insertedBytes(row.bytes) }
        : null
    }
  }
}
