/**
 * A zstd frame that was made with a dictionary, written as one that needs none: the dictionary is its first bytes, in
 * blocks that are not compressed. To the blocks behind them both are the same, the bytes that precede theirs (RFC 8878,
 * 3.1.1.1.2 and 5: a dictionary without tables is content only).
 */

const MAGIC = 0xfd2fb528
const DICTIONARY_MAGIC = 0xec30a437
/** Bytes. zstd ignores a shorter dictionary. */
const MIN_PREFIX = 8
const MAX_BLOCK = 128 * 1024
const BLOCK_HEADER = 3
/** One segment, so that all of it is the window, and a content size of four bytes. */
const DESCRIPTOR = 0b1010_0000
const HEADER = 9

/** Upper bound of the length of a frame with its prefix. */
export function prefixedBound(frame: Uint8Array, prefix: Uint8Array): number {
  return HEADER + Math.ceil(prefix.length / MAX_BLOCK) * BLOCK_HEADER + prefix.length + frame.length
}

/** Writes it to `room` and returns it; null if it cannot be written so. `size`: of what the frame holds. */
export function withPrefix(frame: Uint8Array, prefix: Uint8Array, size: number, room: Buffer): Buffer | null {
  const blocks = startOfBlocks(frame, CHECKSUM | UNUSUAL)
  if (blocks === null || prefix.length < MIN_PREFIX || hasTables(prefix)) return null
  room.writeUInt32LE(MAGIC, 0)
  room.writeUInt8(DESCRIPTOR, 4)
  room.writeUInt32LE(prefix.length + size, 5)
  let at = HEADER
  for (let from = 0; from < prefix.length; from += MAX_BLOCK) {
    const part = prefix.subarray(from, from + MAX_BLOCK)
    // Its type, raw, and that another block follows are zeros.
    room.writeUIntLE(part.length << 3, at, BLOCK_HEADER)
    room.set(part, at + BLOCK_HEADER)
    at += BLOCK_HEADER + part.length
  }
  const rest = frame.subarray(blocks)
  room.set(rest, at)
  return room.subarray(0, at + rest.length)
}

/**
 * Whether zstd takes a dictionary for one of its own format, as the tool makes them: it then reads tables from it, and
 * fails if there are none.
 */
export function hasTables(dictionary: Uint8Array): boolean {
  return readUint32(dictionary) === DICTIONARY_MAGIC
}

/** In the descriptor: the frame ends with a checksum; it names its dictionary, or has a bit that is not used. */
const CHECKSUM = 0b100
const UNUSUAL = 0b011

/** Null if the frame has one of these bits, or is none. */
function startOfBlocks(frame: Uint8Array, refused: number): number | null {
  if (frame.length < HEADER || readUint32(frame) !== MAGIC) return null
  const descriptor = frame[4] as number
  if ((descriptor & refused) !== 0) return null
  const isSingleSegment = (descriptor & 0b10_0000) !== 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 1 << sizeFlag
  return 5 + Number(!isSingleSegment) + sizeBytes
}

/** `start`: the first five bytes of a frame. */
export function hasChecksum(start: Uint8Array): boolean {
  return readUint32(start) === MAGIC && ((start[4] as number) & CHECKSUM) !== 0
}

/** How many bytes a frame holds, by its header; null if it does not say. */
export function frameSize(header: Uint8Array): number | null {
  const blocks = startOfBlocks(header, UNUSUAL)
  if (blocks === null || blocks > header.length) return null
  const descriptor = (header[4] as number) & ~CHECKSUM
  if (descriptor === 0b10_0000) return header[5] as number
  if (descriptor >> 6 === 1) return (header[blocks - 2] as number) + ((header[blocks - 1] as number) << 8) + 256
  return descriptor >> 6 === 2 ? readUint32(header.subarray(blocks - 4)) : null
}

function readUint32([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0
}
