/** What a store takes, bytes: measured now and then, and between two measures by what was added. Cheap enough for every status. */
import { statSync } from 'node:fs'
import type { StorageUse } from '../../../contract/storage.ts'
import { prepared, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { type Contents, GONE, HEAD, KNOWN, type Pause, readContents } from './contents.ts'

interface Measure {
  /** Contents up to this id are in it. */
  readonly to: number
  /** And Edits. */
  readonly edit: number
  readonly unique: number
  readonly packed: number
  readonly head: number
}

const NOTHING: Measure = { to: 0, edit: 0, unique: 0, packed: 0, head: 0 }

/** Reads what was measured last and adds what came since. */
export function usageOf(store: Store): Omit<StorageUse, 'budget'> {
  const known = lastMeasure(store)
  const since = store.db
    .prepare(
      `SELECT coalesce(sum(size), 0) AS size, coalesce(sum(length(bytes)), 0) + (SELECT coalesce(sum(length(bytes)), 0) FROM chunk WHERE content > ?) AS packed
       FROM content WHERE id > ? AND hash IS NOT NULL`
    )
    .get(known.to, known.to) as { size: number; packed: number }
  const packed = known.packed + since.packed
  // Before the first measure everything is the first copy.
  const head = known.to === 0 ? packed : Math.min(packed, Math.max(0, known.head + headGrowth(store, known.edit)))
  return {
    bytes: fileBytes(store),
    uniqueBytes: known.unique + since.size,
    headBytes: head,
    historyBytes: packed - head
  }
}

/** More Edits than this are left to the next measure. */
const FEW = 1000

const PACKED =
  'SELECT coalesce(length(c.bytes), 0) + coalesce((SELECT sum(length(k.bytes)) FROM chunk k WHERE k.content = c.id), 0) FROM content c WHERE c.id = (SELECT v.content FROM version v WHERE v.id ='

/** What the Edits since have made of the present state: what they left last, less what was there before the first of them. */
function headGrowth({ db, records }: Store, since: number): number {
  if (records.lastSeq() - since > FEW) return 0
  const row = prepared(
    db,
    `SELECT coalesce(sum(CASE WHEN (SELECT p.edit FROM path p WHERE p.id = e.path) = e.seq THEN (${PACKED} e.after)) END), 0)
       - coalesce(sum(CASE WHEN NOT EXISTS (SELECT 1 FROM edit f WHERE f.path = e.path AND f.seq > ? AND f.seq < e.seq) THEN (${PACKED} e.before)) END), 0) AS growth
     FROM edit e WHERE e.seq > ?`
  ).get(since, since) as { growth: number }
  return row.growth
}

/** Contents that were added since the last measure. */
export function unmeasured(store: Store): number {
  const top = store.db.prepare('SELECT coalesce(max(id), 0) FROM content').pluck().get() as number
  return top - lastMeasure(store).to
}

/** The files of the history on disk. */
export function fileBytes(store: Store): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

/** Looks at all contents, in steps, and remembers what they take. */
export async function measure(store: Store, pause: Pause): Promise<void> {
  rememberUsage(store, await readContents(store, null, pause))
}

export function rememberUsage(store: Store, contents: Contents): void {
  const sums = { unique: 0, packed: 0, head: 0 }
  for (let id = 1; id < contents.flags.length; id++) {
    const flags = contents.flags[id] as number
    if ((flags & KNOWN) === 0 || (flags & GONE) !== 0) continue
    sums.unique += contents.size[id] as number
    sums.packed += contents.packed[id] as number
    if ((flags & HEAD) !== 0) sums.head += contents.packed[id] as number
  }
  const known: Measure = { to: contents.seen.content, edit: contents.seen.edit, ...sums }
  write(store.db, () => store.setMeta('usage', JSON.stringify(known)))
}

function lastMeasure(store: Store): Measure {
  const text = store.meta('usage')
  return text === null ? NOTHING : (JSON.parse(text) as Measure)
}
