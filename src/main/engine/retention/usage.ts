/**
 * What a store takes on disk, in bytes. All contents are measured now and then; between two measurements only what was added
 * since is counted, so that every status can afford to ask.
 */
import { statSync } from 'node:fs'
import type { StorageUse } from '../../../contract/storage.ts'
import { prepareCached, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { ALREADY_EVICTED, type Contents, HEAD, KNOWN, type Pause, readContents } from './contents.ts'

/** JSON in the store's meta table, under `usage`. */
interface Measurement {
  /** Contents up to this id are included. */
  readonly to: number
  /** Seq of the newest edit that is included. */
  readonly edit: number
  readonly unique: number
  readonly packed: number
  readonly head: number
}

const NOT_MEASURED: Measurement = { to: 0, edit: 0, unique: 0, packed: 0, head: 0 }

/** The last measurement plus what was added since. */
export function usageOf(store: Store): Omit<StorageUse, 'budget'> {
  const measured = lastMeasurement(store)
  const added = store.db
    .prepare(
      `SELECT coalesce(sum(size), 0) AS size, coalesce(sum(length(bytes)), 0) + (SELECT coalesce(sum(length(bytes)), 0) FROM chunk WHERE content > ?) AS packed
       FROM content WHERE id > ? AND hash IS NOT NULL`
    )
    .get(measured.to, measured.to) as { size: number; packed: number }
  const packed = measured.packed + added.packed
  // Before the first measurement all content belongs to the initial snapshot.
  const head =
    measured.to === 0 ? packed : Math.min(packed, Math.max(0, measured.head + headGrowthSince(store, measured.edit)))
  return {
    bytes: fileBytes(store),
    uniqueBytes: measured.unique + added.size,
    headBytes: head,
    historyBytes: packed - head
  }
}

/** The growth of heads is not worked out for more edits than this; it waits for the next measurement. */
const MAX_EDITS = 1000

/** SQL: packed bytes of the content of a version; the version's id and two closing brackets follow. */
const PACKED =
  'SELECT coalesce(length(c.bytes), 0) + coalesce((SELECT sum(length(k.bytes)) FROM chunk k WHERE k.content = c.id), 0) FROM content c WHERE c.id = (SELECT v.content FROM version v WHERE v.id ='

/** Per path: the content after its last edit since then, minus the content before its first one. */
function headGrowthSince({ db, records }: Store, since: number): number {
  if (records.lastSeq() - since > MAX_EDITS) return 0
  const row = prepareCached(
    db,
    `SELECT coalesce(sum(CASE WHEN (SELECT p.edit FROM path p WHERE p.id = e.path) = e.seq THEN (${PACKED} e.after)) END), 0)
       - coalesce(sum(CASE WHEN NOT EXISTS (SELECT 1 FROM edit f WHERE f.path = e.path AND f.seq > ? AND f.seq < e.seq) THEN (${PACKED} e.before)) END), 0) AS growth
     FROM edit e WHERE e.seq > ?`
  ).get(since, since) as { growth: number }
  return row.growth
}

/** Number of contents added since the last measurement. */
export function countUnmeasured(store: Store): number {
  const top = store.db.prepare('SELECT coalesce(max(id), 0) FROM content').pluck().get() as number
  return top - lastMeasurement(store).to
}

/** Size of the history's files on disk. */
export function fileBytes(store: Store): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

/** Reads all contents, in steps, and saves what they take. */
export async function measure(store: Store, pause: Pause): Promise<void> {
  saveUsage(store, await readContents(store, null, pause))
}

export function saveUsage(store: Store, { flags, size, packed, readUpTo }: Contents): void {
  const sums = { unique: 0, packed: 0, head: 0 }
  for (let id = 1; id < flags.length; id++) {
    const bits = flags[id] as number
    if ((bits & (KNOWN | ALREADY_EVICTED)) !== KNOWN) continue
    sums.unique += size[id] as number
    sums.packed += packed[id] as number
    if ((bits & HEAD) !== 0) sums.head += packed[id] as number
  }
  const measured: Measurement = { to: readUpTo.content, edit: readUpTo.edit, ...sums }
  write(store.db, () => store.setMeta('usage', JSON.stringify(measured)))
}

function lastMeasurement(store: Store): Measurement {
  const text = store.meta('usage')
  return text === null ? NOT_MEASURED : (JSON.parse(text) as Measurement)
}
