/**
 * Removes the bytes of contents, for sweeps. Evicting keeps the row, its hash and its size; a row is deleted only if no
 * version refers to it. Chunks are deleted a few at a time, because they are large.
 */
import { deleteChunksOf } from './chunks.ts'
import { CHUNKED, EVICTED_CODEC } from './codec.ts'
import type { ContentId } from './content-rows.ts'
import { exists, type Readable, run, type Writable } from './sql.ts'

const EVICT_ROW = `UPDATE content SET codec = ${EVICTED_CODEC}, depth = 0, base = NULL, bytes = NULL
  WHERE id = ? AND codec <> ${EVICTED_CODEC}`
const EVICT_CHUNKED = `UPDATE content SET codec = ${EVICTED_CODEC} WHERE id = ? AND codec = ${CHUNKED}`

/** Content in the row itself: nothing may refer to it as its base any more. */
export function evictRow(tx: Writable<Readable>, id: ContentId): void {
  run(tx, EVICT_ROW, id)
}

/** True if the content is in chunks. `deleteEvictedChunks` then frees their bytes. */
export function evictChunked(tx: Writable<Readable>, id: ContentId): boolean {
  return run(tx, EVICT_CHUNKED, id).changes > 0
}

export function deleteContent(tx: Writable<Readable>, id: ContentId): void {
  deleteChunksOf(tx, id)
  run(tx, 'DELETE FROM content WHERE id = ?', id)
}

/**
 * Deletes up to `limit` chunks of evicted content; false if none is left. Content that was stored again keeps its
 * chunks.
 */
export function deleteEvictedChunks(tx: Writable<Readable>, id: ContentId, limit: number): boolean {
  const isEvicted = exists(tx, `SELECT 1 FROM content WHERE id = ? AND codec = ${EVICTED_CODEC}`, id)
  return isEvicted && deleteChunksOf(tx, id, limit)
}

/** Takes the mark of the writer from an incomplete content; false if it is complete by now. */
export function unmarkIncomplete(tx: Writable<Readable>, id: ContentId): boolean {
  return run(tx, 'UPDATE content SET size = 0 WHERE id = ? AND hash IS NULL', id).changes > 0
}

export function deleteIncomplete(tx: Writable<Readable>, id: ContentId): void {
  run(tx, 'DELETE FROM content WHERE id = ? AND hash IS NULL', id)
}

/** Marks checkpoints that lose content. */
export function markPruned(tx: Writable<Readable>, checkpoints: readonly string[]): void {
  const sql =
    "UPDATE checkpoint SET status = 'pruned', why = '' WHERE status IN ('available', 'restored') AND id IN (SELECT value FROM json_each(?))"
  run(tx, sql, JSON.stringify(checkpoints))
}
