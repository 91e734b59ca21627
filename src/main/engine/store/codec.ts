/**
 * Owns the codecs of stored content: how bytes become the `bytes` column of a content row, and back.
 *
 * | codec | in the row |
 * |---|---|
 * | `RAW` | the bytes themselves |
 * | `ZSTD` | one zstd frame (RFC 8878) |
 * | `DELTA` | one zstd frame; its dictionary is the unpacked bytes of the row in `base` |
 * | `SPLICE` | where the bytes of the row in `base` are replaced, and by what (splice.ts) |
 * | `CHUNKED` | NULL; the bytes are in the chunks of its `content_chunk` rows, each `RAW` or `ZSTD` |
 * | `SHARED` | NULL; the history of the main folder has the bytes (shared-content.ts) |
 * | `EVICTED_CODEC` | NULL; removed to save space, while hash and size stay |
 *
 * Both kinds of delta need exactly the bytes they were made with, so a row that is the `base` of another must not lose its
 * bytes before that row is repacked. The numbers are part of the store's format.
 */
import { packSplice, unpackSplice } from './splice.ts'
import { compressBound, packCheckedFrame, packFrame, unpackFrame } from './zstd.ts'
import { hasTables } from './zstd-prefix.ts'

export const RAW = 0
export const ZSTD = 1
export const DELTA = 2
export const CHUNKED = 3
export const SPLICE = 4
export const SHARED = 5
export const EVICTED_CODEC = 9

export interface Packed {
  readonly codec: number
  readonly bytes: Uint8Array
}

/** Whether the row is packed against its base. */
export function hasBase(codec: number): boolean {
  return codec === DELTA || codec === SPLICE
}

/** Bytes. Below this size the header of a zstd frame costs about what compression saves. */
const MIN_COMPRESS_SIZE = 64

/** A frame is used only if it is smaller than this share of the input: else unpacking costs time and saves no space. */
const MAX_USEFUL_RATIO = 0.95

/** Grows to the largest input. Reused, because allocating per file costs more than compressing a small one. */
let scratch = Buffer.allocUnsafeSlow(compressBound(64 * 1024))

/** Compresses if that saves space. The result never aliases the scratch buffer; with `RAW` it is `bytes` itself. */
export function pack(bytes: Uint8Array): Packed {
  if (bytes.length < MIN_COMPRESS_SIZE) return { codec: RAW, bytes }
  const { codec, length } = packInto(bytes, scratchFor(bytes), 0)
  return codec === RAW ? { codec, bytes } : { codec, bytes: Buffer.from(scratch.subarray(0, length)) }
}

/**
 * One frame with a checksum, however small: for bytes without a hash. `unpack` throws zlib's error if they are not the
 * same any more.
 */
export function packChecked(bytes: Uint8Array): Packed {
  const length = packCheckedFrame(bytes, scratchFor(bytes), 0)
  return { codec: ZSTD, bytes: Buffer.from(scratch.subarray(0, length)) }
}

function scratchFor({ length }: Uint8Array): Buffer {
  if (scratch.length < compressBound(length)) scratch = Buffer.allocUnsafeSlow(compressBound(length))
  return scratch
}

/** Like `pack`, but writes to `target` at `offset`, which must have `compressBound(bytes.length)` bytes of room. */
export function packInto(bytes: Uint8Array, target: Uint8Array, offset: number): { codec: number; length: number } {
  if (bytes.length >= MIN_COMPRESS_SIZE) {
    const length = packFrame(bytes, target, offset)
    if (length < bytes.length * MAX_USEFUL_RATIO) return { codec: ZSTD, length }
  }
  target.set(bytes, offset)
  return { codec: RAW, length: bytes.length }
}

/**
 * Packs against `dictionary`, even where that is larger than without one: the caller compares. Null where zstd takes the
 * dictionary for one of its own format.
 */
export function packDelta(bytes: Uint8Array, dictionary: Uint8Array): Packed | null {
  const splice = packSplice(bytes, dictionary)
  if (splice) return { codec: SPLICE, bytes: splice }
  if (hasTables(dictionary)) return null
  const length = packFrame(bytes, scratchFor(bytes), 0, dictionary)
  return { codec: DELTA, bytes: Buffer.from(scratch.subarray(0, length)) }
}

/**
 * Most bytes that one row holds, packed or unpacked: twice the longest text that a hook may send. Large content is in
 * chunks.
 */
export const MAX_ROW_SIZE = 128 * 1024 * 1024

/**
 * Inverse of the functions above. `RAW` returns a view of `bytes`, not a copy. Throws zlib's error on damaged frames, and
 * on one that holds more than `size` bytes, before it takes the memory; StoreDamaged on a damaged splice.
 */
export function unpack(codec: number, bytes: Uint8Array, size = MAX_ROW_SIZE, dictionary?: Uint8Array): Buffer {
  if (codec === SPLICE && dictionary) return unpackSplice(bytes, size, dictionary)
  if (codec === RAW) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return unpackFrame(bytes, Math.min(size, MAX_ROW_SIZE), codec === DELTA ? dictionary : undefined)
}
