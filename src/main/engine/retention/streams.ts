/**
 * [ST-2] Content whose writer died before it was complete. Such content has no hash and no version refers to it; it counts
 * as abandoned when it has not grown between two sweeps that are far enough apart.
 */
import { write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

/** A stream that has not grown for this long has no writer any more, ms. */
const ABANDONED_AFTER_MS = 10 * 60_000

interface Observed {
  readonly id: number
  /** Its newest chunk. */
  readonly last: number
  /** When this was its newest chunk for the first time. */
  readonly at: number
}

/** Compares all incomplete contents with the last sweep's observation, and saves the new one unless `dryRun`. */
export function abandonedStreams(store: Store, now: number, dryRun: boolean): { id: number; size: number }[] {
  const saved = store.meta('streams') ?? '[]'
  const previous = JSON.parse(saved) as Observed[]
  const streams = store.db
    .prepare(
      `SELECT c.id, coalesce((SELECT max(k.id) FROM chunk k WHERE k.content = c.id), 0) AS last,
         coalesce((SELECT sum(length(k.bytes)) FROM chunk k WHERE k.content = c.id), 0) AS size
       FROM content c WHERE c.hash IS NULL`
    )
    .all() as { id: number; last: number; size: number }[]
  const observed = streams.map((stream) => ({
    ...stream,
    at: previous.find(({ id, last }) => id === stream.id && last === stream.last)?.at ?? now
  }))
  const next = JSON.stringify(observed.map(({ id, last, at }): Observed => ({ id, last, at })))
  if (!dryRun && next !== saved) write(store.db, () => store.setMeta('streams', next))
  return observed.filter(({ at }) => now - at >= ABANDONED_AFTER_MS)
}

/**
 * Deletes incomplete content. Its size is set to 0 first: a writer that is alive after all finds its mark missing and gives
 * up, instead of completing a content with missing chunks.
 */
export function deleteStream({ db }: Store, id: number): void {
  const unmark = db.prepare('UPDATE content SET size = 0 WHERE id = ? AND hash IS NULL')
  if (write(db, () => unmark.run(id).changes) === 0) return
  const deleteChunks = db.prepare('DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE content = ? LIMIT 8)')
  while (write(db, () => deleteChunks.run(id).changes) > 0);
  write(db, () => db.prepare('DELETE FROM content WHERE id = ? AND hash IS NULL').run(id))
}
