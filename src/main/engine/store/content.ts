/**
 * [ST-1] Owns stored content: named by the SHA-256 of its bytes, stored once, verified on every read except those of
 * `unverifiedReader`. [ST-2] Evicted content keeps its row, and storing the same bytes again fills it.
 */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { CHUNKED, EVICTED_CODEC, type Packed, unpack } from './codec.ts'
import { createPacker } from './content-packer.ts'
import {
  CHUNKED_CONTENT,
  type ContentId,
  createContentRows,
  damagedContent,
  type PackedContent,
  withoutBase
} from './content-rows.ts'
import { sha256 } from './hash.ts'
import { createLargeContentWriter, type LargeContentWriter } from './large-content.ts'
import { createRepacker, type Repacker } from './repacker.ts'
import { createUnverifiedReader } from './unverified-reader.ts'

export interface ContentWrites {
  /** Stores the bytes unless they are stored. `previous`: content they probably resemble. */
  put(bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId
  /** Like `put`, for bytes that a worker of the initial snapshot packed, in one chunk or several. */
  putPacked(hash: Buffer, size: number, chunks: readonly Packed[]): ContentId
}

export interface Content {
  /** Null if the content is not stored, or was evicted. */
  find(hash: Buffer): ContentId | null
  /** Exact bytes, verified. Throws NotStored if evicted, StoreDamaged if the bytes do not match their hash. */
  get(id: ContentId): Buffer
  /**
   * Like `get`, chunk by chunk, for content of any size. The hash is known only at the end: use what was written only if
   * this returns. An error thrown by `onChunk` is passed on as it is.
   */
  stream(id: ContentId, onChunk: (chunk: Buffer) => void): void
  /** Null if the content is whole, else the error's message. */
  verify(id: ContentId): string | null
  /** For searching many versions; not verified, so never for writing. */
  unverifiedReader(): (id: ContentId) => Buffer
  createLargeWriter(): LargeContentWriter
  repacker(): Repacker
}

export function createContent(db: Db): Content & ContentWrites {
  const rows = createContentRows(db)
  const packFor = createPacker(rows)

  /** `packed` is called only if the bytes are not stored: packing is the expensive part. */
  const store = (hash: Buffer, size: number, packed: () => PackedContent): ContentId => {
    const existing = rows.findByHash(hash)
    if (!existing) return rows.insert(hash, size, packed())
    if (existing.codec === EVICTED_CODEC) rows.refill(existing.id, packed())
    return existing.id
  }

  const stream: Content['stream'] = (id, onChunk) => {
    const row = rows.row(id)
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
        for (const { codec, bytes } of rows.chunks(id)) {
          const chunk = unpack(codec, bytes)
          digest.update(chunk)
          pass(chunk)
        }
        hash = digest.digest()
      } else {
        const bytes = rows.unpack(row)
        hash = sha256(bytes)
        pass(bytes)
      }
    } catch (error) {
      // An error of the callback, such as a full disk, says nothing about the content.
      if (error instanceof DriftlineError || inCallback) throw error
      throw damagedContent(
        `content ${id} cannot be unpacked (${error instanceof Error ? error.message : String(error)})`,
        id
      )
    }
    if (!row.hash || !hash.equals(row.hash)) throw damagedContent(`content ${id} does not match its hash`, id)
  }

  return {
    put: (bytes, hash, previous) => store(hash, bytes.length, () => packFor(bytes, hash, previous)),
    putPacked: (hash, size, chunks) =>
      store(hash, size, () =>
        chunks.length === 1 ? withoutBase(chunks[0] as Packed) : { ...CHUNKED_CONTENT, chunks }
      ),
    find: (hash) => {
      const existing = rows.findByHash(hash)
      return existing && existing.codec !== EVICTED_CODEC ? existing.id : null
    },
    get: (id) => {
      const chunks: Buffer[] = []
      stream(id, (chunk) => chunks.push(chunk))
      return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    },
    stream,
    verify: (id) => {
      try {
        stream(id, () => {})
        return null
      } catch (error) {
        if (error instanceof DriftlineError) return error.message
        throw error
      }
    },
    unverifiedReader: () => createUnverifiedReader(rows),
    createLargeWriter: () => createLargeContentWriter(db, rows),
    repacker: () => createRepacker(rows)
  }
}
