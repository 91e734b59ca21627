/** [ST-2] Unfinished content whose writer died: it has not grown between two sweeps far enough apart. */
import { write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

/** How long content that is being streamed may stand still before its writer counts as dead, ms. */
const STREAM_MS = 10 * 60_000

/** Remembers what it saw, unless it is only asked. */
export function deadStreams(store: Store, now: number, dryRun: boolean): { id: number; size: number }[] {
  const seen = JSON.parse(store.meta('streams') ?? '[]') as { id: number; last: number; at: number }[]
  const streams = store.db
    .prepare(
      `SELECT c.id, coalesce((SELECT max(k.id) FROM chunk k WHERE k.content = c.id), 0) AS last,
         coalesce((SELECT sum(length(k.bytes)) FROM chunk k WHERE k.content = c.id), 0) AS size
       FROM content c WHERE c.hash IS NULL`
    )
    .all() as { id: number; last: number; size: number }[]
  const known = streams.map((one) => ({
    ...one,
    at: seen.find((other) => other.id === one.id && other.last === one.last)?.at ?? now
  }))
  const next = JSON.stringify(known.map(({ id, last, at }) => ({ id, last, at })))
  if (!dryRun && next !== (store.meta('streams') ?? '[]')) write(store.db, () => store.setMeta('streams', next))
  return known.filter((one) => now - one.at >= STREAM_MS)
}

/** Removes one; nothing refers to it. A writer that lives after all loses its mark first, so that it never finishes half of it. */
export function dropStream({ db }: Store, id: number): void {
  const unmark = db.prepare('UPDATE content SET size = 0 WHERE id = ? AND hash IS NULL')
  if (write(db, () => unmark.run(id).changes) === 0) return
  const drop = db.prepare('DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE content = ? LIMIT 8)')
  while (write(db, () => drop.run(id).changes) > 0);
  write(db, () => db.prepare('DELETE FROM content WHERE id = ? AND hash IS NULL').run(id))
}
