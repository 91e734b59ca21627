/**
 * [ST-1] Owns stored content: named by the SHA-256 of its bytes, stored once, verified on every read except those of
 * `unverifiedReader`. [ST-2] Evicted content keeps its row, and storing the same bytes again fills it.
 */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import { CHUNKED, EVICTED_CODEC, type Packed, unpack } from './codec.ts'
import { createPacker } from './content-packer.ts'
import {
  CHUNKED_CONTENT,
  type ContentId,
  chunksOf,
  contentRow,
  createUnverifiedReader,
  damagedContent,
  findByHash,
  insertContent,
  type PackedContent,
  refill,
  unpackRow,
  withoutBase
} from './content-rows.ts'
import { sha256 } from './hash.ts'
import { createLargeContentWriter } from './large-content.ts'
import type { Readable, Writable } from './sql.ts'

export type Content = ReturnType<typeof createContent>
export type ContentWrites = ReturnType<typeof createContentWrites>

export function createContent(store: Readable) {
  /**
   * Like `get`, chunk by chunk, for content of any size. The hash is known only at the end: use what was written only
   * if this returns. An error thrown by `onChunk` is passed on as it is.
   */
  const stream = (id: ContentId, onChunk: (chunk: Buffer) => void): void => {
    const row = contentRow(store, id)
    let hash: Buffer
    let inCallback = false
    const pass = (chunk: Buffer): void => {
      inCallback = true
      onChunk(chunk)
      inCallback = false
    }
    try {
      if (row.codec === CHUNKED) {
        const digest = createHash('sha256')
        for (const { codec, bytes } of chunksOf(store, id)) {
          const chunk = unpack(codec, bytes)
          digest.update(chunk)
          pass(chunk)
        }
        hash = digest.digest()
      } else {
        const bytes = unpackRow(store, row)
        hash = sha256(bytes)
        pass(bytes)
      }
    } catch (error) {
      // An error of the callback, such as a full disk, says nothing about the content.
      if (error instanceof DriftlineError || inCallback) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw damagedContent(`content ${id} cannot be unpacked (${reason})`, id)
    }
    if (!row.hash || !hash.equals(row.hash)) throw damagedContent(`content ${id} does not match its hash`, id)
  }

  return {
    stream,
    /** Null if the content is not stored, or was evicted. */
    find: (hash: Buffer): ContentId | null => {
      const existing = findByHash(store, hash)
      return existing && existing.codec !== EVICTED_CODEC ? existing.id : null
    },
    /** Exact bytes, verified. Throws NotStored if evicted, StoreDamaged if the bytes do not match their hash. */
    get: (id: ContentId): Buffer => {
      const chunks: Buffer[] = []
      stream(id, (chunk) => chunks.push(chunk))
      return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    },
    /** Null if the content is whole, else the error's message. */
    verify: (id: ContentId): string | null => {
      try {
        stream(id, () => {})
        return null
      } catch (error) {
        if (error instanceof DriftlineError) return error.message
        throw error
      }
    },
    /** For searching many versions; not verified, so never for writing. */
    unverifiedReader: () => createUnverifiedReader(store),
    createLargeWriter: () => createLargeContentWriter(store)
  }
}

export function createContentWrites(tx: Writable<Readable>) {
  const packFor = createPacker(tx)
  /** `packed` is called only if the bytes are not stored: packing is the expensive part. */
  const store = (hash: Buffer, size: number, packed: () => PackedContent): ContentId => {
    const existing = findByHash(tx, hash)
    if (!existing) return insertContent(tx, hash, size, packed())
    if (existing.codec === EVICTED_CODEC) refill(tx, existing.id, packed())
    return existing.id
  }
  return {
    /** Stores the bytes unless they are stored. `previous`: content they probably resemble. */
    put: (bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId =>
      store(hash, bytes.length, () => packFor(bytes, hash, previous)),
    /** Like `put`, for bytes that a worker of the initial snapshot packed, in one chunk or several. */
    putPacked: (hash: Buffer, size: number, chunks: readonly Packed[]): ContentId =>
      store(hash, size, () => (chunks.length === 1 ? withoutBase(chunks[0] as Packed) : { ...CHUNKED_CONTENT, chunks }))
  }
}
