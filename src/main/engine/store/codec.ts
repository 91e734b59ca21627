/** How content is packed: zstd when it pays, with the previous version of the same file as dictionary when there is one. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { packFrame, roomFor, zstdParams } from './zstd.ts'

export const RAW = 0
export const ZSTD = 1
export const DELTA = 2
export const CHUNKED = 3
export const EMPTIED = 9

export interface Packed {
  readonly codec: number
  readonly bytes: Uint8Array
}

/** Below this size zstd's frame costs about what it saves. */
const WORTH_TRYING = 64

/** Share of the size below which packing pays. */
const PAYS = 0.95

let space = Buffer.allocUnsafeSlow(roomFor(64 * 1024))

export function pack(bytes: Uint8Array): Packed {
  if (bytes.length < WORTH_TRYING) return { codec: RAW, bytes }
  if (space.length < roomFor(bytes.length)) space = Buffer.allocUnsafeSlow(roomFor(bytes.length))
  const { codec, length } = packInto(bytes, space, 0)
  return codec === RAW ? { codec, bytes } : { codec, bytes: Buffer.from(space.subarray(0, length)) }
}

/** The same into `target` at `at`, where there must be `roomFor` the bytes. */
export function packInto(bytes: Uint8Array, target: Uint8Array, at: number): { codec: number; length: number } {
  if (bytes.length >= WORTH_TRYING) {
    const length = packFrame(bytes, target, at)
    if (length < bytes.length * PAYS) return { codec: ZSTD, length }
  }
  target.set(bytes, at)
  return { codec: RAW, length: bytes.length }
}

/** Packed with `dictionary`, smaller than alone or not. */
export function packDelta(bytes: Uint8Array, dictionary: Uint8Array): Packed {
  return { codec: DELTA, bytes: zstdCompressSync(bytes, { params: zstdParams(), dictionary }) }
}

export function unpack(codec: number, bytes: Uint8Array, dictionary?: Uint8Array): Buffer {
  if (codec === RAW) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return dictionary ? zstdDecompressSync(bytes, { dictionary }) : zstdDecompressSync(bytes)
}
