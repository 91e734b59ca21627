/**
 * What a sweep reads of a whole store, in pages by ascending key, and the few rows that decide which positions are
 * kept. No statement stays open between two pages.
 */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { EVICTED_CODEC } from './codec.ts'
import type { Store } from './open-store.ts'
import { all, column, count, get, tuples } from './sql.ts'

/** Reads up to `limit` rows with after < key <= to; the first column is the key. */
export type Page<Row extends readonly [number, ...unknown[]]> = (
  store: Store,
  after: number,
  to: number,
  limit: number
) => readonly Row[]

function pageOf<Row extends readonly [number, ...unknown[]]>(sql: string): Page<Row> {
  return (store, after, to, limit) => tuples<Row>(store, sql, after, to, limit)
}

/** Greatest key of a table, 0 if it is empty. */
export function greatestId(store: Store, table: 'content' | 'chunk' | 'version' | 'path'): number {
  return count(store, `SELECT max(id) FROM ${table}`)
}

export function countContents(store: Store): number {
  return count(store, 'SELECT count(*) FROM content')
}

/** Contents whose size is not that of a version that refers to them. */
export function contentsOfOtherSize(store: Store): number[] {
  const sql = `SELECT DISTINCT c.id FROM version v JOIN content c ON c.id = v.content
    WHERE v.size <> c.size AND c.hash IS NOT NULL AND c.codec <> ${EVICTED_CODEC}`
  return column(store, sql)
}

/** Complete contents: id, size, codec, depth, base (0 = none), bytes in the row. */
export const contentPage = pageOf<readonly [number, number, number, number, number, number]>(
  'SELECT id, size, codec, depth, coalesce(base, 0), coalesce(length(bytes), 0) FROM content WHERE id > ? AND id <= ? AND hash IS NOT NULL ORDER BY id LIMIT ?'
)

/** Chunks: id, bytes, the newest content that has it. */
export const chunkPage = pageOf<readonly [number, number, number]>(
  `SELECT k.id, length(k.bytes), coalesce((SELECT max(u.content) FROM content_chunk u WHERE u.chunk = k.id), 0)
   FROM chunk k WHERE k.id > ? AND k.id <= ? ORDER BY k.id LIMIT ?`
)

/** The contents that have a chunk. */
export function contentsOfChunk(store: Store, chunk: number): number[] {
  return column(store, 'SELECT DISTINCT content FROM content_chunk WHERE chunk = ?', chunk)
}

/** Heads: path, content. */
export const headPage = pageOf<readonly [number, number | null]>(
  'SELECT p.id, (SELECT v.content FROM version v WHERE v.id = p.version) FROM path p WHERE p.id > ? AND p.id <= ? ORDER BY p.id LIMIT ?'
)

/** Versions: id, content. */
export const versionPage = pageOf<readonly [number, number | null]>(
  'SELECT id, content FROM version WHERE id > ? AND id <= ? ORDER BY id LIMIT ?'
)

/** Edits: seq, path, the content it replaced, at, seq of the path's previous edit (0 = none). */
export const replacedPage = pageOf<readonly [number, number, number | null, number, number]>(
  `SELECT e.seq, e.path, (SELECT v.content FROM version v WHERE v.id = e.before), e.at,
     coalesce((SELECT max(p.seq) FROM edit p WHERE p.path = e.path AND p.seq < e.seq), 0)
   FROM edit e WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`
)

/** The content of every head. */
export function headContents(store: Store): { readonly path: number; readonly content: number }[] {
  const sql =
    'SELECT p.id AS path, v.content FROM path p JOIN version v ON v.id = p.version WHERE v.content IS NOT NULL'
  return all(store, sql)
}

/** SQL: the distinct contents of versions; a SELECT of version ids and two closing brackets follow. */
const CONTENTS_OF =
  'SELECT DISTINCT v.content FROM version v WHERE v.content IS NOT NULL AND v.id IN (SELECT version FROM ('

/** Contents of both sides of every item of a restore that is under way, or interrupted and waiting to be recovered. */
export function contentsOfOpenRestores(store: Store): number[] {
  const sql = `${CONTENTS_OF}SELECT i.before AS version FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')
     UNION SELECT i.after FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')))`
  return column(store, sql)
}

/** Contents that rows newer than these need: new versions, both sides of new edits, and the bases of new contents. */
export function contentsNeededSince(
  store: Store,
  newest: { readonly version: number; readonly edit: number; readonly content: number }
): number[] {
  const ofVersions = `${CONTENTS_OF}SELECT id AS version FROM version WHERE id > ?))`
  const ofEdits = `${CONTENTS_OF}SELECT before AS version FROM edit WHERE seq > ? UNION SELECT after FROM edit WHERE seq > ?))`
  const bases = 'SELECT DISTINCT base FROM content WHERE id > ? AND base IS NOT NULL'
  return [
    ...column<number>(store, ofVersions, newest.version),
    ...column<number>(store, ofEdits, newest.edit, newest.edit),
    ...column<number>(store, bases, newest.content)
  ]
}

/**
 * [LG-1] SQL: the time of a checkpoint, never before that of an earlier one. A clock that was wrong for a while ages
 * nothing.
 */
const MONOTONIC_AT = 'max(at) OVER (ORDER BY n)'

export interface RetentionCheckpoint {
  /** Ordinal in order of creation. */
  readonly n: number
  readonly seq: number
  readonly reason: string
  readonly session: string | null
  readonly at: number
}

export function retentionCheckpoints(store: Store): RetentionCheckpoint[] {
  return all(store, `SELECT n, seq, reason, session, ${MONOTONIC_AT} AS at FROM checkpoint`)
}

export interface RunSpan {
  readonly startSeq: number
  /** null while the run is live. */
  readonly endSeq: number | null
  readonly endedAt: number | null
}

export function runSpans(store: Store): RunSpan[] {
  const sql = `SELECT r.start_seq AS startSeq, r.end_seq AS endSeq, max(r.ended_at, c.at) AS endedAt
     FROM run r JOIN (SELECT id, ${MONOTONIC_AT} AS at FROM checkpoint) c ON c.id = r.start_checkpoint`
  return all(store, sql)
}

/** Checkpoints that content may be evicted from, in log order. */
export function intactCheckpoints(
  store: Store
): Pick<Checkpoint, 'id' | 'seq' | 'reason' | 'label' | 'at' | 'run' | 'session'>[] {
  const sql =
    "SELECT id, seq, reason, label, at, run, session FROM checkpoint WHERE status IN ('available', 'restored') ORDER BY seq, n"
  return all(store, sql)
}

/** Unpacked size of the contents with a greater id, and the packed bytes of these and of the chunks with a greater id. */
export function sizeOfContentsAfter(
  store: Store,
  { content, chunk }: { readonly content: number; readonly chunk: number }
): { readonly size: number; readonly packed: number } {
  const packed = '(SELECT sum(length(bytes)) FROM chunk WHERE id > ?)'
  const sql = `SELECT coalesce(sum(size), 0) AS size, coalesce(sum(length(bytes)), 0) + coalesce(${packed}, 0) AS packed
    FROM content WHERE id > ? AND hash IS NOT NULL`
  return get(store, sql, chunk, content) ?? { size: 0, packed: 0 }
}

/** SQL: packed bytes of the chunks of content c. */
const CHUNK_BYTES =
  'coalesce((SELECT sum(length(k.bytes)) FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = c.id), 0)'

/** SQL: packed bytes of the content of a version; the version's id and two closing brackets follow. */
const PACKED = `SELECT coalesce(length(c.bytes), 0) + ${CHUNK_BYTES}
  FROM content c WHERE c.id = (SELECT v.content FROM version v WHERE v.id =`

/**
 * Packed bytes that heads gained: per path, the content after its last edit since then, minus the content before its
 * first one.
 */
export function headGrowthAfter(store: Store, seq: number): number {
  const sql = `SELECT coalesce(sum(CASE WHEN (SELECT p.edit FROM path p WHERE p.id = e.path) = e.seq THEN (${PACKED} e.after)) END), 0)
     - coalesce(sum(CASE WHEN NOT EXISTS (SELECT 1 FROM edit f WHERE f.path = e.path AND f.seq > ? AND f.seq < e.seq) THEN (${PACKED} e.before)) END), 0) AS growth
   FROM edit e WHERE e.seq > ?`
  return count(store, sql, seq, seq)
}

/** Contents whose writer has not completed them: the number of chunks and the packed bytes of each. */
export function incompleteContents(
  store: Store
): { readonly id: number; readonly chunks: number; readonly size: number }[] {
  const sql = `SELECT c.id, (SELECT count(*) FROM content_chunk u WHERE u.content = c.id) AS chunks, ${CHUNK_BYTES} AS size
     FROM content c WHERE c.hash IS NULL`
  return all(store, sql)
}

/**
 * The first `limit` contents behind `after` whose bytes are stored; a base comes before what is packed against it, unless
 * a sweep packed it anew.
 */
export function storedContents(store: Store, after: number, limit: number): number[] {
  const sql = 'SELECT id FROM content WHERE hash IS NOT NULL AND codec <> ? AND id > ? ORDER BY id LIMIT ?'
  return column(store, sql, EVICTED_CODEC, after, limit)
}
