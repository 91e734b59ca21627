/**
 * [ST-2] Content whose writer died before it was complete. Such content has no hash and no version refers to it; it counts
 * as abandoned when it has not grown between two sweeps that are far enough apart.
 */
import { deleteChunks, deleteIncomplete, unmarkIncomplete } from '../store/evictions.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { incompleteContents } from '../store/retention-queries.ts'
import { transact } from '../store/sql.ts'

/** Chunks deleted in one transaction: a chunk is up to 1 MiB. */
const CHUNKS_PER_STEP = 8

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
  const saved = readMeta(store, 'streams') ?? '[]'
  const previous = JSON.parse(saved) as Observed[]
  const observed = incompleteContents(store).map((stream) => ({
    ...stream,
    at: previous.find(({ id, last }) => id === stream.id && last === stream.last)?.at ?? now
  }))
  const next = JSON.stringify(observed.map(({ id, last, at }): Observed => ({ id, last, at })))
  if (!dryRun && next !== saved) transact(store, (tx) => writeMeta(tx, 'streams', next))
  return observed.filter(({ at }) => now - at >= ABANDONED_AFTER_MS)
}

/**
 * Deletes incomplete content. Its size is set to 0 first: a writer that is alive after all finds its mark missing and gives
 * up, instead of completing a content with missing chunks.
 */
export function deleteStream(store: Store, id: number): void {
  if (!transact(store, (tx) => unmarkIncomplete(tx, id))) return
  while (transact(store, (tx) => deleteChunks(tx, id, CHUNKS_PER_STEP)));
  transact(store, (tx) => deleteIncomplete(tx, id))
}
