/**
 * Owns the rows of table `content`: finds, inserts, fills and unpacks them. Nothing is verified here; content.ts does
 * that.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { createByteCache } from './byte-cache.ts'
import { addChunk, deleteChunksOf, markChunksDamaged, type NewChunk } from './chunks.ts'
import { CHUNKED, EVICTED_CODEC, hasBase, MAX_ROW_SIZE, type Packed, RAW, SHARED, unpack } from './codec.ts'
import { sha256 } from './hash.ts'
import { MAX_WHOLE, sharedContents } from './shared-content.ts'
import { all, column, get, type Readable, run, scalar, type Writable } from './sql.ts'

export type ContentId = number

export interface ContentRow {
  readonly id: ContentId
  /** SHA-256; null while a large content is still being written. */
  readonly hash: Buffer | null
  /** Bytes unpacked; negative while a large content is still being written (large-content.ts). */
  readonly size: number
  readonly codec: number
  /** Length of the chain of dictionaries below it; 0 without one. */
  readonly depth: number
  /** The row whose unpacked bytes are this one's dictionary. */
  readonly base: ContentId | null
  readonly baseHash: Buffer | null
  readonly bytes: Buffer | null
  /** 1 once it could not be read correctly. */
  readonly damaged: number
}

/** What is stored: packed bytes in the row, alone or against a dictionary, or chunks, which contents may share. */
export interface PackedContent {
  readonly codec: number
  readonly bytes: Uint8Array | null
  readonly base: ContentId | null
  readonly depth: number
  readonly chunks: readonly NewChunk[]
}

export const CHUNKED_CONTENT: PackedContent = { codec: CHUNKED, bytes: null, base: null, depth: 0, chunks: [] }

/** Packed bytes that need no other row to be unpacked. */
export function withoutBase({ codec, bytes }: Packed): PackedContent {
  return { codec, bytes, base: null, depth: 0, chunks: [] }
}

/** The row with this hash, evicted or not. */
export function findByHash(store: Readable, hash: Buffer): Pick<ContentRow, 'id' | 'codec' | 'damaged'> | null {
  return get(store, 'SELECT id, codec, damaged FROM content WHERE hash = ?', hash)
}

/** Null while a large content is still being written, or without such a row. */
export function hashOf(store: Readable, id: ContentId): Buffer | null {
  return scalar<Buffer>(store, 'SELECT hash FROM content WHERE id = ?', id)
}

// Hashes as text: a Buffer takes better-sqlite3 longer to make than the rest of the row.
const COLUMNS = `id, nullif(hex(hash), '') AS hash, size, codec, depth, base,
  (SELECT nullif(hex(b.hash), '') FROM content b WHERE b.id = c.base) AS baseHash, damaged`
/** Bytes beyond the limit are not read: a row that holds more was not written by Driftline. */
const ROW = `SELECT ${COLUMNS}, iif(length(bytes) > ${MAX_ROW_SIZE}, NULL, bytes) AS bytes FROM content c WHERE id = ?`
/** Bytes, packed. */
const SMALL_ROW = 2048
const SMALL_ROWS = `SELECT ${COLUMNS}, bytes FROM content c
  WHERE id IN (SELECT value FROM json_each(?)) AND length(bytes) <= ?`

type RawRow = Omit<ContentRow, 'hash' | 'baseHash'> & { readonly hash: string | null; readonly baseHash: string | null }

function toContentRow({ id, hash, size, codec, depth, base, baseHash, bytes, damaged }: RawRow): ContentRow {
  return { id, hash: fromHex(hash), size, codec, depth, base, baseHash: fromHex(baseHash), bytes, damaged }
}

function fromHex(hash: string | null): Buffer | null {
  return hash === null ? null : Buffer.from(hash, 'hex')
}

/**
 * Shared content appears as it is in the history of the main folder, unpacked, unless it is large: then it keeps its
 * codec and has to be streamed. Throws StoreDamaged if the row is missing, or what it refers to.
 */
export function contentRow(store: Readable, id: ContentId): ContentRow {
  const found = get<RawRow>(store, ROW, id)
  if (!found) throw damagedContent(`content ${id} is missing`, id)
  const row = toContentRow(found)
  if (row.codec !== SHARED || row.size > MAX_WHOLE || !row.hash) return row
  const bytes = sharedContents(store)?.read(row.hash, row.size)
  if (!bytes) throw damagedContent(`content ${id} is not in the history of the main folder`, id)
  return { ...row, codec: RAW, bytes }
}

/** Of these contents, the rows with few bytes, such as small differences: together they take a third of the time. */
export function smallContentRows(
  store: Readable,
  ids: readonly ContentId[],
  most = SMALL_ROW
): Map<ContentId, ContentRow> {
  const rows = all<RawRow>(store, SMALL_ROWS, JSON.stringify(ids), most)
  return new Map(rows.map((row) => [row.id, toContentRow(row)]))
}

export function insertContent(
  tx: Writable<Readable>,
  hash: Buffer | null,
  size: number,
  { codec, depth, base, bytes, chunks }: PackedContent
): ContentId {
  const { id } = run(tx, INSERT, hash, size, codec, depth, base, bytes)
  addChunks(tx, id, chunks)
  return id
}

const INSERT = 'INSERT INTO content(hash, size, codec, depth, base, bytes) VALUES (?, ?, ?, ?, ?, ?)'

/** The same where nobody has looked for that hash; null if there is a content with it. */
export function insertIfNew(
  tx: Writable<Readable>,
  hash: Buffer,
  size: number,
  { codec, depth, base, bytes, chunks }: PackedContent
): ContentId | null {
  const { id, changes } = run(tx, `${INSERT} ON CONFLICT(hash) DO NOTHING`, hash, size, codec, depth, base, bytes)
  if (changes === 0) return null
  addChunks(tx, id, chunks)
  return id
}

function addChunks(tx: Writable<Readable>, id: ContentId, chunks: PackedContent['chunks']): void {
  for (const [n, chunk] of chunks.entries()) addChunk(tx, id, n, chunk)
}

/** Replaces how the same content is packed. */
export function repack(tx: Writable<Readable>, id: ContentId, packed: PackedContent): void {
  const { codec, depth, base, bytes, chunks } = packed
  run(tx, 'UPDATE content SET codec = ?, depth = ?, base = ?, bytes = ? WHERE id = ?', codec, depth, base, bytes, id)
  addChunks(tx, id, chunks)
}

/** Stores the bytes of evicted content again. Removes chunks first: a killed sweep may have left some. */
export function refill(tx: Writable<Readable>, id: ContentId, packed: PackedContent): void {
  deleteChunksOf(tx, id)
  repack(tx, id, packed)
  run(tx, 'UPDATE content SET damaged = 0 WHERE id = ?', id)
}

/**
 * Marks content as damaged, and has the files that hold it now read again by the next scan, which repairs it. False if
 * it was marked before.
 */
export function markDamaged(tx: Writable<Readable>, id: ContentId): boolean {
  if (run(tx, 'UPDATE content SET damaged = 1 WHERE id = ? AND damaged = 0', id).changes === 0) return false
  markChunksDamaged(tx, id)
  run(tx, 'UPDATE path SET seen = 0 WHERE version IN (SELECT id FROM version WHERE content = ?)', id)
  return true
}

/** Takes the mark from all other contents: their damage was not lasting, such as an error of the disk. */
export function unmarkDamaged(tx: Writable<Readable>, damaged: readonly ContentId[]): void {
  const sql = 'UPDATE content SET damaged = 0 WHERE damaged = 1 AND id NOT IN (SELECT value FROM json_each(?))'
  run(tx, sql, JSON.stringify(damaged))
}

/** Contents that have these bytes as their dictionary. */
export function contentsBasedOn(store: Readable, id: ContentId): ContentId[] {
  return column(store, 'SELECT id FROM content WHERE base = ?', id)
}

/** No chain of dictionaries is longer, also where sweeps packed its parts anew; one that is leads in a circle. */
const MOST_BASES = 1000

/** What unpacking needs. */
export type PackedRow = Pick<ContentRow, 'id' | 'size' | 'codec' | 'base' | 'bytes'> & {
  readonly baseHash?: Buffer | null
}

/** The bytes of a base. `above`: contents whose dictionary it is. */
type DictionaryOf = (base: ContentId, above: number, hash?: Buffer | null) => Uint8Array

/**
 * Bytes of content that is not chunked. `dictionaryOf` may return the bytes of a base from a cache. `above`: contents
 * whose dictionary it is. Throws NotStored if the content is evicted, zlib's error if the frame is damaged, and
 * StoreDamaged if the chain leads in a circle.
 */
export function unpackRow(
  { id, codec, bytes, base, baseHash, size }: PackedRow,
  dictionaryOf: DictionaryOf,
  above = 0
): Buffer {
  if (above > MOST_BASES) throw damagedContent(`content ${id} is its own dictionary`, id)
  if (codec === EVICTED_CODEC)
    throw new DriftlineError(
      'NotStored',
      'The content of this version was removed: it was past the limits for the history, or is on the exclude list.'
    )
  const packed = bytes ?? Buffer.alloc(0)
  return unpack(codec, packed, size, hasBase(codec) ? dictionaryOf(base as ContentId, above + 1, baseHash) : undefined)
}

/**
 * Contents that were read and verified, or stored, a short time ago: the dictionaries of those read or stored next.
 * Named by hash and not by row id, because SQLite reuses an id after a rollback, or after another process deleted the
 * row, and because a row may be damaged and repaired.
 */
export interface RecentContents {
  /** The bytes of a row as it is stored; only those of its base may come from here. Throws as `unpackRow`. */
  unpack(row: ContentRow): Buffer
  /**
   * The bytes of a row that is packed as it was when they were read or stored; undefined if it changed since, as by
   * damage. Not to be changed.
   */
  get(row: ContentRow): Buffer | undefined
  /** The bytes of a row, from here or unpacked and then verified. Throws as `unpackRow`, and StoreDamaged. */
  bytesOf(row: ContentRow): Buffer
  /** The bytes have this hash and are stored as `packed`. */
  add(hash: Buffer, bytes: Buffer, packed: Pick<ContentRow, 'codec'> & { readonly bytes: Uint8Array | null }): void
}

/** A run that changes 1,000 files of 3 kB leaves their old and new contents here, for its summary and its diff. */
const RECENT_BYTES = 8 * 1024 * 1024
const MAX_RECENT_SIZE = 256 * 1024

export function createRecentContents(store: Readable): RecentContents {
  const recent = createByteCache<string, RecentContent>(RECENT_BYTES)
  const find = (hash: Buffer | null | undefined): Buffer | undefined => recent.get(nameOf(hash))?.bytes
  const dictionaryOf: DictionaryOf = (id, above, hash) =>
    find(hash) ?? unpackRow(contentRow(store, id), dictionaryOf, above)
  const add: RecentContents['add'] = (hash, bytes, { codec, bytes: packed }) => {
    const { length } = bytes
    if (length <= MAX_RECENT_SIZE && packed) recent.add(nameOf(hash), { bytes, codec, packed, length })
  }
  return {
    unpack: (row) => unpackRow(row, dictionaryOf),
    get: (row) => {
      const known = recent.get(nameOf(row.hash))
      return known && row.codec === known.codec && row.bytes?.equals(known.packed) ? known.bytes : undefined
    },
    bytesOf: (row) => {
      const known = find(row.hash)
      if (known) return known
      const bytes = unpackRow(row, dictionaryOf)
      if (!row.hash || !sha256(bytes).equals(row.hash))
        throw damagedContent(`content ${row.id} does not match its hash`, row.id)
      add(row.hash, bytes, row)
      return bytes
    },
    add
  }
}

interface RecentContent {
  readonly bytes: Buffer
  readonly codec: number
  readonly packed: Uint8Array
  readonly length: number
}

function nameOf(hash: Buffer | null | undefined): string {
  return hash?.toString('latin1') ?? ''
}

/** `content` lets the caller find which checkpoints need it. */
export function damagedContent(problem: string, content: ContentId): DriftlineError {
  return new DriftlineError(
    'StoreDamaged',
    `A stored version is damaged: ${problem}. It is never written to your files; other versions are not affected. Run "driftline doctor" for a list.`,
    { content }
  )
}

/**
 * Null if the content cannot be read. For dictionaries: a damaged old version is reported when it is read, and must not
 * keep a new one from being stored.
 */
export function readOrNull(read: () => Buffer | null): Buffer | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof DriftlineError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
