/**
 * Owns tables `content` and `chunk`: finds, inserts, fills and unpacks rows. Nothing is verified here; content.ts does
 * that. Every method that writes must run inside a transaction.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { CHUNKED, DELTA, EVICTED_CODEC, type Packed, unpack } from './codec.ts'
import { type Readable, scalar } from './sql.ts'

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
  readonly bytes: Buffer | null
}

/** What is stored in a row: packed bytes, alone or against a dictionary, or chunks in rows of their own. */
export interface PackedContent {
  readonly codec: number
  readonly bytes: Uint8Array | null
  readonly base: ContentId | null
  readonly depth: number
  readonly chunks: readonly Packed[]
}

export const CHUNKED_CONTENT: PackedContent = { codec: CHUNKED, bytes: null, base: null, depth: 0, chunks: [] }

/** Packed bytes that need no other row to be unpacked. */
export function withoutBase({ codec, bytes }: Packed): PackedContent {
  return { codec, bytes, base: null, depth: 0, chunks: [] }
}

export interface ContentRows {
  /** The row with this hash, evicted or not. */
  findByHash(hash: Buffer): Pick<ContentRow, 'id' | 'codec'> | null
  /** Throws StoreDamaged if the row is missing. */
  row(id: ContentId): ContentRow
  /** Reads one chunk at a time, in order. */
  chunks(id: ContentId): Iterable<Packed & { readonly bytes: Buffer }>
  insert(hash: Buffer | null, size: number, packed: PackedContent): ContentId
  /** Replaces how the same content is packed. */
  repack(id: ContentId, packed: PackedContent): void
  /** Stores the bytes of evicted content again. Removes chunks first: a killed sweep may have left some. */
  refill(id: ContentId, packed: PackedContent): void
  /**
   * Bytes of content that is not chunked. `dictionaryOf` may return the bytes of a base from a cache; without it the whole
   * chain is unpacked. Throws NotStored if the content is evicted, and zlib's error if the frame is damaged.
   */
  unpack(row: ContentRow, dictionaryOf?: (id: ContentId) => Buffer): Buffer
}

export function createContentRows(db: Db): ContentRows {
  const byHash = db.prepare('SELECT id, codec FROM content WHERE hash = ?')
  const byId = db.prepare('SELECT * FROM content WHERE id = ?')
  const insertRow = db.prepare('INSERT INTO content(hash, size, codec, depth, base, bytes) VALUES (?, ?, ?, ?, ?, ?)')
  const updateRow = db.prepare('UPDATE content SET codec = ?, depth = ?, base = ?, bytes = ? WHERE id = ?')
  const selectChunks = db.prepare('SELECT codec, bytes FROM chunk WHERE content = ? ORDER BY n')
  const insertChunk = db.prepare('INSERT INTO chunk(content, n, codec, bytes) VALUES (?, ?, ?, ?)')
  const deleteChunks = db.prepare('DELETE FROM chunk WHERE content = ?')

  const row = (id: ContentId): ContentRow => {
    const found = byId.get(id) as ContentRow | undefined
    if (!found) throw damagedContent(`content ${id} is missing`, id)
    return found
  }
  const insertChunks = (id: ContentId, chunks: readonly Packed[]): void => {
    for (const [n, { codec, bytes }] of chunks.entries()) insertChunk.run(id, n, codec, bytes)
  }
  const repack = (id: ContentId, { codec, depth, base, bytes, chunks }: PackedContent): void => {
    updateRow.run(codec, depth, base, bytes, id)
    insertChunks(id, chunks)
  }
  const unpackRow: ContentRows['unpack'] = ({ codec, bytes, base }, dictionaryOf) => {
    if (codec === EVICTED_CODEC)
      throw new DriftlineError(
        'NotStored',
        'The content of this version was removed: it was past the limits for the history, or is on the exclude list.'
      )
    const packed = bytes ?? Buffer.alloc(0)
    if (codec !== DELTA) return unpack(codec, packed)
    return unpack(DELTA, packed, dictionaryOf ? dictionaryOf(base as number) : unpackRow(row(base as number)))
  }

  return {
    findByHash: (hash) => (byHash.get(hash) as Pick<ContentRow, 'id' | 'codec'> | undefined) ?? null,
    row,
    chunks: (id) => selectChunks.iterate(id) as Iterable<Packed & { bytes: Buffer }>,
    insert: (hash, size, { codec, depth, base, bytes, chunks }) => {
      const id = Number(insertRow.run(hash, size, codec, depth, base, bytes).lastInsertRowid)
      insertChunks(id, chunks)
      return id
    },
    repack,
    refill: (id, packed) => {
      deleteChunks.run(id)
      repack(id, packed)
    },
    unpack: unpackRow
  }
}

/** Null if the row is missing. */
export function codecOf(store: Readable, id: ContentId): number | null {
  return scalar<number>(store, 'SELECT codec FROM content WHERE id = ?', id)
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
 * Null if the content cannot be read. For dictionaries: a damaged old version is reported when it is read, and must not keep
 * a new one from being stored.
 */
export function readOrNull(read: () => Buffer): Buffer | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof DriftlineError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
