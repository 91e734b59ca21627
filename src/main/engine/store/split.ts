/**
 * Cuts large content into chunks at places that its bytes choose, so that two versions of a file have most chunks in
 * common, also behind an insertion. FastCDC: W. Xia et al., "FastCDC: a Fast and Efficient Content-Defined Chunking
 * Approach for Data Deduplication", USENIX ATC 2016 (gear hash, minimum skipped, normalised sizes).
 *
 * Only what versions share depends on the sizes and the table: with others, content that is stored already stays
 * readable and shares nothing with what is stored from then on.
 */

/** Bytes. An edit costs a chunk or two; a version costs a row of some ten bytes for each of its chunks. */
const MIN_SIZE = 32 * 1024
const USUAL_SIZE = 64 * 1024
export const MAX_CHUNK_SIZE = 256 * 1024

/** A chunk ends where these bits of the hash are 0: 18 of them before the usual size, 14 after it. */
const EARLY_BITS = 0xffffc000 | 0
const LATE_BITS = 0xfffc0000 | 0

const GEAR = gearTable()

/** The chunks that are returned are valid until the next call. */
export interface Splitter {
  /** Where the next bytes can be read to, so that `push` need not copy them: as many as `length`. */
  space(length: number): Buffer
  /**
   * Takes the next bytes of the content; returns the chunks that are complete. `hasRoom`: before them are MAX_CHUNK_SIZE bytes
   * of memory in which nothing is.
   */
  push(bytes: Uint8Array, hasRoom?: boolean): readonly Buffer[]
  /** The content is complete: returns the last chunks. Other content may follow. */
  end(): readonly Buffer[]
  /** Forgets what was pushed. */
  restart(): void
}

/** As `KnownChunks.endOf`. */
type KnownEnd = (bytes: Buffer, from: number, to: number, offset: number) => number

/** A piece of memory of at least this many bytes. */
type Memory = (length: number) => Buffer

/**
 * `knownEnd`: for a version of content that is stored already; the chunks are the same without it. `memory`: for what is
 * read to `space`.
 */
export function createSplitter(knownEnd: KnownEnd = () => 0, memory: Memory = Buffer.allocUnsafeSlow): Splitter {
  let held: Buffer = Buffer.alloc(0)
  /** `held` is memory of the caller. */
  let isBorrowed = false
  /** The bytes that belong to no chunk yet: fewer than MAX_CHUNK_SIZE between two calls. */
  let from = 0
  let to = 0
  /** Where `from` is in the content. */
  let offset = 0
  const chunks = (isLast: boolean): Buffer[] => {
    const complete: Buffer[] = []
    while (from < to && (isLast || to - from >= MAX_CHUNK_SIZE)) {
      const end = knownEnd(held, from, to, offset) || endOfChunk(held, from, to)
      complete.push(held.subarray(from, end))
      offset += end - from
      from = end
    }
    return complete
  }
  const restart = (): void => {
    from = 0
    to = 0
    offset = 0
  }
  /** Room behind the bytes that wait, which may move. */
  const room = (length: number, allocate: Memory): Buffer => {
    const waiting = to - from
    const space = waiting + length <= held.length && !isBorrowed ? held : allocate(MAX_CHUNK_SIZE + length)
    isBorrowed = false
    hold(space)
    return space.subarray(waiting, waiting + length)
  }
  const hold = (space: Buffer): void => {
    held.copy(space, 0, from, to)
    held = space
    to -= from
    from = 0
  }
  const borrow = ({ buffer, byteOffset, length }: Uint8Array): void => {
    const waiting = to - from
    isBorrowed = true
    hold(Buffer.from(buffer, byteOffset - waiting, waiting + length))
  }
  return {
    space: (length) => room(length, memory),
    push: (bytes, hasRoom = false) => {
      const isInSpace = bytes.buffer === held.buffer && bytes.byteOffset === held.byteOffset + to
      if (hasRoom) borrow(bytes)
      else if (!isInSpace) room(bytes.length, Buffer.allocUnsafeSlow).set(bytes)
      to += bytes.length
      return chunks(false)
    },
    end: () => {
      const last = chunks(true)
      restart()
      return last
    },
    restart
  }
}

/** Where the chunk that begins at `from` ends, if the content ends at `to` or at least MAX_CHUNK_SIZE bytes follow. */
function endOfChunk(bytes: Uint8Array, from: number, to: number): number {
  const usual = Math.min(from + USUAL_SIZE, to)
  const max = Math.min(from + MAX_CHUNK_SIZE, to)
  let hash = 0
  let i = Math.min(from + MIN_SIZE, to)
  for (; i < usual; i++) {
    hash = ((hash << 1) + (GEAR[bytes[i] as number] as number)) | 0
    if ((hash & EARLY_BITS) === 0) return i + 1
  }
  for (; i < max; i++) {
    hash = ((hash << 1) + (GEAR[bytes[i] as number] as number)) | 0
    if ((hash & LATE_BITS) === 0) return i + 1
  }
  return max
}

/** A random number for each byte value, the same in every version: xorshift32 (G. Marsaglia, 2003). */
function gearTable(): Int32Array {
  let x = 0x9e3779b9
  return Int32Array.from({ length: 256 }, () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x
  })
}
