/**
 * [ST-1] Owns stored content: named by the SHA-256 of its bytes, stored once, verified on every read except those of
 * `unverifiedReader`. [ST-2] Evicted content keeps its row, and storing the same bytes again fills it.
 */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import { chunksOf, type NewChunk } from './chunks.ts'
import { CHUNKED, EVICTED_CODEC, type Packed, pack, SHARED, unpack } from './codec.ts'
import { createPacker } from './content-packer.ts'
import {
  CHUNKED_CONTENT,
  type ContentId,
  type ContentRow,
  contentRow,
  contentsBasedOn,
  createRecentContents,
  damagedContent,
  findByHash,
  insertContent,
  insertIfNew,
  markDamaged,
  type PackedContent,
  type RecentContents,
  readOrNull,
  refill,
  repack,
  unmarkDamaged,
  withoutBase
} from './content-rows.ts'
import { sha256 } from './hash.ts'
import { createLargeContentWriter } from './large-content.ts'
import { type ContentAtHand, readChunks } from './large-reads.ts'
import { sharedContents } from './shared-content.ts'
import type { Readable, Writable } from './sql.ts'
import { createUnverifiedReader, type UnverifiedReader } from './unverified-reader.ts'

export type Content = ReturnType<typeof createContent>
export type ContentWrites = ReturnType<typeof createContentWrites>

export function createContent(store: Readable, recent: RecentContents) {
  /**
   * Like `get`, chunk by chunk, for content of any size. The hash is known only at the end: use what was written only
   * if this returns. An error thrown by `onChunk` is passed on as it is.
   */
  const stream = (id: ContentId, onChunk: (chunk: Buffer) => void, size: number, row = contentRow(store, id)): void => {
    const known = row.size === size && isWhole(row) ? recent.get(row) : undefined
    if (known) onChunk(known)
    else streamRow(row, onChunk, size)
  }
  const streamRow = (row: ContentRow, onChunk: (chunk: Buffer) => void, size = row.size): void => {
    if (size !== row.size) throw damagedContent(`content ${row.id} has another size than its version`, row.id)
    streamVerified(store, recent, row, onChunk)
  }
  const isWholeIn = (id: ContentId, known: RecentContents, row?: ContentRow): boolean => {
    try {
      streamVerified(store, known, row ?? contentRow(store, id), () => {})
      return true
    } catch (error) {
      if (error instanceof DriftlineError) return false
      throw error
    }
  }
  /** Contents that were read completely, so that a plan and the restore after it read each of them once. */
  const readable = new Set<ContentId>()

  return {
    stream,
    /** Whether the bytes can be read and match their hash; remembered where they do. `rowOf`: `row` of `get`, if it is needed. */
    isReadable: (id: ContentId, rowOf?: () => ContentRow | undefined): boolean => {
      if (readable.has(id)) return true
      if (!isWholeIn(id, recent, rowOf?.())) return false
      if (readable.size >= MOST_REMEMBERED) readable.clear()
      readable.add(id)
      return true
    },
    /** Whether the damage was not marked before. `isReadable` reads the content again. */
    markDamaged: (tx: Writable<Readable>, id: ContentId): boolean => {
      readable.delete(id)
      return markDamaged(tx, id)
    },
    /** Null if the content is not stored, or was evicted. */
    find: (hash: Buffer): ContentId | null => {
      const existing = findByHash(store, hash)
      return existing && isWhole(existing) ? existing.id : null
    },
    /**
     * Exact bytes, verified; not to be changed. Those in memory were, and their row is compared with what it was then.
     * `size`: of the version that is read. `like`: content that this one probably resembles. `row`: where it was read with
     * others. Throws NotStored if evicted, StoreDamaged if the bytes do not match hash and size.
     */
    get: (id: ContentId, size: number, like: ContentAtHand | null = null, row = contentRow(store, id)): Buffer => {
      const known = row.size === size && isWhole(row) ? (recent.get(row) ?? wholeChunks(store, row, like)) : undefined
      if (known) return known
      const chunks: Buffer[] = []
      streamRow(row, (chunk) => chunks.push(chunk), size)
      return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    },
    /** Whether contents can be read now and match their hashes. Contents that were read before prove nothing. */
    verifier: (): ((id: ContentId) => boolean) => {
      const known = createRecentContents(store)
      return (id) => isWholeIn(id, known)
    },
    /** For searching many versions; not verified, so never for writing. */
    unverifiedReader: (): UnverifiedReader => createUnverifiedReader(store),
    createLargeWriter: (previous: ContentId | null = null) => createLargeContentWriter(store, previous)
  }
}

const MOST_REMEMBERED = 100_000

/** Large content in one piece; undefined if it is not in chunks, or cannot be read: `streamVerified` says why. */
function wholeChunks(store: Readable, row: ContentRow, like: ContentAtHand | null): Buffer | undefined {
  const bytes = row.codec === CHUNKED ? readOrNull(() => readChunks(store, row.id, row.size, like)) : null
  return bytes && row.hash && sha256(bytes).equals(row.hash) ? bytes : undefined
}

/** Passes the bytes on as they are unpacked, and throws StoreDamaged if they cannot be, or do not match the hash. */
function streamVerified(
  store: Readable,
  known: RecentContents,
  row: ContentRow,
  onChunk: (chunk: Buffer) => void
): void {
  const { id } = row
  let inCallback = false
  const pass = (chunk: Buffer): void => {
    inCallback = true
    onChunk(chunk)
    inCallback = false
  }
  let hash: Buffer
  try {
    if (row.codec === SHARED) hash = streamShared(store, row, pass)
    else hash = row.codec === CHUNKED ? unpackChunks(store, row, pass) : unpackWhole(known, row, pass)
  } catch (error) {
    // An error of the callback, such as a full disk, says nothing about the content.
    if (inCallback || (error instanceof DriftlineError && !isDamageOfOther(error, id))) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw damagedContent(`content ${id} cannot be unpacked (${reason})`, id)
  }
  if (!row.hash || !hash.equals(row.hash)) throw damagedContent(`content ${id} does not match its hash`, id)
}

/** Returns the hash of what was passed. In memory is one chunk at a time. */
function unpackChunks(store: Readable, { id, size }: ContentRow, pass: (chunk: Buffer) => void): Buffer {
  const digest = createHash('sha256')
  let left = size
  for (const { codec, bytes } of chunksOf(store, id)) {
    const chunk = unpack(codec, bytes, left)
    left -= chunk.length
    if (left < 0) throw damagedContent(`content ${id} is larger than recorded`, id)
    digest.update(chunk)
    pass(chunk)
  }
  return digest.digest()
}

/** Large content of the main folder's history, which verifies it. */
function streamShared(store: Readable, { id, hash, size }: ContentRow, pass: (chunk: Buffer) => void): Buffer {
  const shared = sharedContents(store)
  if (!hash || !shared?.stream(hash, size, pass))
    throw damagedContent(`content ${id} is not in the history of the main folder`, id)
  return hash
}

/** The same for content in one piece, which is remembered if its hash is right. */
function unpackWhole(known: RecentContents, row: ContentRow, pass: (chunk: Buffer) => void): Buffer {
  const bytes = known.unpack(row)
  const hash = sha256(bytes)
  if (row.hash && hash.equals(row.hash)) known.add(hash, bytes, row)
  pass(bytes)
  return hash
}

/** A content that this one is packed against is damaged, so this one is, too. */
function isDamageOfOther({ code, data }: DriftlineError, id: ContentId): boolean {
  return code === 'StoreDamaged' && data.content !== id
}

/** Neither evicted nor damaged. */
function isWhole({ codec, damaged }: Pick<ContentRow, 'codec' | 'damaged'>): boolean {
  return codec !== EVICTED_CODEC && damaged === 0
}

/**
 * Stores the bytes of damaged content again. Without a base, because its base may be built on it. Contents built on the
 * damaged bytes are packed by themselves, or they could not be read with the right ones.
 */
export function repair(tx: Writable<Readable>, id: ContentId, packed: PackedContent): void {
  const dependents = contentsBasedOn(tx, id).flatMap((dependent) => {
    const row = contentRow(tx, dependent)
    const bytes = readOrNull(() => createRecentContents(tx).unpack(row))
    return bytes && row.hash && sha256(bytes).equals(row.hash) ? [{ dependent, bytes }] : []
  })
  refill(tx, id, packed)
  for (const { dependent, bytes } of dependents) repack(tx, dependent, withoutBase(pack(bytes)))
}

export function createContentWrites(tx: Writable<Readable>, recent: RecentContents) {
  const packFor = createPacker(tx, recent)
  /** `packed` is called only if the bytes are not stored: packing is the expensive part. */
  const store = (hash: Buffer, size: number, packed: (canHaveBase: boolean) => PackedContent): ContentId => {
    const existing = findByHash(tx, hash)
    if (!existing) return insertContent(tx, hash, size, packed(true))
    if (existing.damaged === 1) repair(tx, existing.id, packed(false))
    else if (existing.codec === EVICTED_CODEC) refill(tx, existing.id, packed(true))
    return existing.id
  }
  return {
    /** Takes the mark of damage from all contents but these. */
    unmarkDamaged: (damaged: readonly ContentId[]): void => unmarkDamaged(tx, damaged),
    /** Stores the bytes unless they are stored. `previous`: content they probably resemble. */
    put: (bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId =>
      store(hash, bytes.length, (canHaveBase) => packFor(bytes, hash, canHaveBase ? previous : null)),
    /** Like `put`, for bytes that a worker of the initial snapshot packed, in one frame or in chunks. */
    putPacked: (hash: Buffer, size: number, packed: Packed | readonly NewChunk[]): ContentId => {
      const content = 'codec' in packed ? withoutBase(packed) : { ...CHUNKED_CONTENT, chunks: packed }
      // Most contents of a new folder are new: the index of hashes is searched once for each.
      return insertIfNew(tx, hash, size, content) ?? store(hash, size, () => content)
    }
  }
}
