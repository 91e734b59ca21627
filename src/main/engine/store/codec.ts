/** How content is packed: zstd when it pays, with the previous version of the same file as dictionary when there is one. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

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
const params = { [constants.ZSTD_c_compressionLevel]: 3 }

export function pack(bytes: Uint8Array): Packed {
  if (bytes.length < WORTH_TRYING) return { codec: RAW, bytes }
  const packed = zstdCompressSync(bytes, { params })
  return packed.length < bytes.length * 0.95 ? { codec: ZSTD, bytes: packed } : { codec: RAW, bytes }
}

/** Packed against `dictionary`, or null when that is not clearly smaller than `plain`. */
export function packDelta(bytes: Uint8Array, dictionary: Uint8Array): Packed {
  return { codec: DELTA, bytes: zstdCompressSync(bytes, { params, dictionary }) }
}

export function unpack(codec: number, bytes: Uint8Array, dictionary?: Uint8Array): Buffer {
  if (codec === RAW) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return dictionary ? zstdDecompressSync(bytes, { dictionary }) : zstdDecompressSync(bytes)
}
