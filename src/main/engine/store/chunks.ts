/**
 * Owns tables `chunk` and `content_chunk`: the chunks of large contents, each stored once however many contents have it.
 * A chunk exists as long as a content has it: whoever removes the last use removes the chunk in the same transaction.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { MAX_ROW_SIZE, type Packed, pack, RAW } from './codec.ts'
import { sha256 } from './hash.ts'
import { all, count, get, iterate, type Readable, run, tuples, type Writable } from './sql.ts'
import { frameSize } from './zstd-prefix.ts'

/** A chunk to be added to a content. */
export interface NewChunk {
  /** SHA-256 of its bytes. */
  readonly hash: Buffer
  /** Null if the store had its bytes when it was asked. */
  readonly packed: Packed | null
}

/** Bytes beyond the limit are not read: a row that holds more was not written by Driftline. */
const CHUNKS = `SELECT k.codec, iif(length(k.bytes) > ${MAX_ROW_SIZE}, zeroblob(0), k.bytes) AS bytes
  FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = ? ORDER BY u.n`

/** Reads one chunk of a content at a time, in order. */
export function chunksOf(store: Readable, content: number): Iterable<Packed> {
  return iterate<Packed>(store, CHUNKS, content)
}

/** Enough for the header of a zstd frame. */
const HEADER_BYTES = 18
const CHUNK_SIZES = `SELECT k.hash, k.damaged, iif(k.codec = ${RAW}, length(k.bytes), NULL) AS size,
    iif(k.codec = ${RAW}, NULL, substr(k.bytes, 1, ${HEADER_BYTES})) AS header
  FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = ? ORDER BY u.n`

interface ChunkSize {
  readonly hash: Buffer
  /** Bytes unpacked. */
  readonly size: number
  readonly damaged: number
}

/** Hash and size of the chunks of a content, in order, up to one of which these are not known. */
export function chunkSizesOf(store: Readable, content: number): ChunkSize[] {
  type Row = { hash: Buffer | null; damaged: number; size: number | null; header: Buffer }
  const known: ChunkSize[] = []
  for (const { hash, damaged, size, header } of all<Row>(store, CHUNK_SIZES, content)) {
    const unpacked = size ?? frameSize(header)
    if (hash === null || unpacked === null) break
    known.push({ hash, size: unpacked, damaged })
  }
  return known
}

/** The ids of the chunks of a content, in order, and 1 for each that is damaged. */
export function chunkUsesOf(store: Readable, content: number): (readonly [id: number, damaged: number])[] {
  const sql = `SELECT u.chunk, k.damaged FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = ? ORDER BY u.n`
  return tuples(store, sql, content)
}

export function countChunks(store: Readable, content: number): number {
  return count(store, 'SELECT count(*) FROM content_chunk WHERE content = ?', content)
}

/** One chunk as it is stored. */
export function chunkBytes(store: Readable, hash: Buffer): Packed | null {
  const sql = `SELECT codec, iif(length(bytes) > ${MAX_ROW_SIZE}, zeroblob(0), bytes) AS bytes FROM chunk WHERE hash = ?`
  return get<Packed>(store, sql, hash)
}

interface StoredChunk {
  readonly id: number
  readonly damaged: number
}

function findChunk(store: Readable, hash: Buffer): StoredChunk | null {
  return get<StoredChunk>(store, 'SELECT id, damaged FROM chunk WHERE hash = ?', hash)
}

/** Packs the bytes, unless the store has them. Before the transaction that adds them: packing is the expensive part. */
export function prepareChunk(store: Readable, bytes: Uint8Array): NewChunk {
  const hash = sha256(bytes)
  if (findChunk(store, hash)?.damaged === 0) return { hash, packed: null }
  const { codec, bytes: packed } = pack(bytes)
  // What cannot be compressed is the caller's memory.
  return { hash, packed: { codec, bytes: packed === bytes ? Buffer.from(packed) : packed } }
}

/**
 * Adds a chunk as the n-th of a content. Bytes that are stored are shared; damaged ones are replaced, which repairs
 * every content that has them. Throws Refused if the store does not have bytes any more that it had.
 */
export function addChunk(tx: Writable<Readable>, content: number, n: number, chunk: NewChunk): void {
  const { hash, packed } = chunk
  const shared = `INSERT INTO content_chunk(content, n, chunk) SELECT ?, ?, id FROM chunk WHERE hash = ? AND damaged = 0`
  if (run(tx, shared, content, n, hash).changes === 1) return
  if (!packed) throw partRemoved()
  run(tx, 'INSERT INTO content_chunk(content, n, chunk) VALUES (?, ?, ?)', content, n, storeChunk(tx, hash, packed))
}

/** Some chunks of a content, in order. */
export interface ChunkRange {
  readonly content: number
  readonly first: number
  readonly count: number
}

/** Adds chunks of another content from the n-th on. Throws Refused if one of them is not stored any more, or is damaged. */
export function addChunksOf(
  tx: Writable<Readable>,
  content: number,
  n: number,
  { first, count, ...of }: ChunkRange
): void {
  const sql = `INSERT INTO content_chunk(content, n, chunk) SELECT ?, u.n + ?, u.chunk
    FROM content_chunk u JOIN chunk k ON k.id = u.chunk
    WHERE u.content = ? AND u.n BETWEEN ? AND ? AND k.damaged = 0 ORDER BY u.n`
  const { changes } = run(tx, sql, content, n - first, of.content, first, first + count - 1)
  if (changes !== count) throw partRemoved()
}

export function partRemoved(): DriftlineError {
  return new DriftlineError(
    'Refused',
    'A part of a large file was removed from the history while the file was recorded. Nothing is lost; the next scan records the file.'
  )
}

/** Adds a chunk, or replaces its bytes, which are damaged. */
function storeChunk(tx: Writable<Readable>, hash: Buffer, { codec, bytes }: Packed): number {
  const stored = findChunk(tx, hash)
  if (!stored) return run(tx, 'INSERT INTO chunk(hash, codec, bytes) VALUES (?, ?, ?)', hash, codec, bytes).id
  run(tx, 'UPDATE chunk SET codec = ?, bytes = ?, damaged = 0 WHERE id = ?', codec, bytes, stored.id)
  return stored.id
}

/** Gives all chunks of one content to another, which has none. */
export function moveChunks(tx: Writable<Readable>, from: number, to: number): void {
  run(tx, 'UPDATE content_chunk SET content = ? WHERE content = ?', to, from)
}

/** Removes up to `limit` chunks of a content, all by default; false if it has none left. */
export function deleteChunksOf(tx: Writable<Readable>, content: number, limit = Number.MAX_SAFE_INTEGER): boolean {
  const sql = 'SELECT n, chunk FROM content_chunk WHERE content = ? ORDER BY n LIMIT ?'
  const uses = tuples<readonly [number, number]>(tx, sql, content, limit)
  const last = uses.at(-1)
  if (!last) return false
  run(tx, 'DELETE FROM content_chunk WHERE content = ? AND n <= ?', content, last[0])
  const unused = `DELETE FROM chunk WHERE id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM content_chunk u WHERE u.chunk = chunk.id)`
  run(tx, unused, JSON.stringify(uses.map(([, chunk]) => chunk)))
  return true
}

/** A content could not be read. Which of its chunks are damaged is not known, so all are replaced when they are stored again. */
export function markChunksDamaged(tx: Writable<Readable>, content: number): void {
  run(tx, 'UPDATE chunk SET damaged = 1 WHERE id IN (SELECT chunk FROM content_chunk WHERE content = ?)', content)
}
