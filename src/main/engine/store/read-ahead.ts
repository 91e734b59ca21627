/**
 * Reads a large file with two threads while the caller hashes it: both claim the next piece until none is left, read it to
 * memory that they share, and look whether the chunks of the version before are where they are expected. What the other
 * thread says of a chunk is used only with the bytes that it read. None waits long for the other: a piece that is late is read
 * by the caller.
 */
import { closeSync } from 'node:fs'
import { fill } from '../files/read-small-file.ts'
import { PIECE } from '../files/stable-read.ts'
import { createSums, type SharedCode, SLOTS, SUM_BYTES, type SumsOf, slotAt } from './fingerprint.ts'

/** One read of a file, sent to the other thread as it is. */
export interface ReadJob {
  readonly fd: number
  /** Pieces, the last of which is shorter than the others. */
  readonly pieces: number
  /** Where each chunk of the version before begins there, and where the last one ends. */
  readonly starts: Int32Array
  /** The fingerprint of each chunk, SUM_BYTES. */
  readonly sums: Uint8Array
  /** Numbers that both threads change. */
  readonly state: Int32Array
}

/** The other thread. */
export interface ReadHelper {
  send(job: ReadJob): void
  /** The thread still reads: the file is closed when it is done, and it gets no job until then. */
  closeLater(fd: number): void
}

/**
 * In `state`: the caller is done with the pieces below; how far the bytes have moved; who is done; then a state of each piece,
 * its length, and where each chunk was found, plus 1.
 */
const [NEEDED, SHIFT, DONE, FIRST] = [0, 1, 2, 3]
const [FREE, CLAIMED, READ, FAILED, CLOSED] = [0, 1, 2, 3, 4] as const
const [NOBODY, CALLER, HELPER] = [0, 1, 2] as const

/**
 * A piece takes a thread that runs less than this. The caller does not sleep meanwhile: on a busy computer it would wait for its
 * turn then, and a thread that waits for its own is not waited for.
 */
const PATIENCE_MS = 0.5
/** How long the other thread stays without a free slot before it checks whether one is free, ms. */
const IDLE_MS = 1000

export interface ReadAhead {
  /**
   * The next piece, with MAX_CHUNK_SIZE bytes of memory before it for the caller; valid until the next but one. Null if the
   * caller has to read it.
   */
  next(): Buffer | null
  /** Whether the n-th chunk of the version before begins here, in pieces that `next` returned. */
  isFound(n: number, offset: number): boolean
  /** The n-th chunk was found here, so the others are expected at the same distance. */
  expect(n: number, offset: number): void
  /** No more pieces are needed: closes the file, at once or later. */
  end(): void
}

/** The chunks of the version before. */
export type ExpectedChunks = Pick<ReadJob, 'starts' | 'sums'>

/** Of a file that is open. `sumsOf`: of this thread. */
export function readAhead(
  { fd, size, expected }: { readonly fd: number; readonly size: number; readonly expected: ExpectedChunks },
  { code, sumsOf, helper }: { readonly code: SharedCode; readonly sumsOf: SumsOf; readonly helper: ReadHelper }
): ReadAhead {
  const pieces = Math.floor(size / PIECE) + 1
  const state = new Int32Array(new SharedArrayBuffer((FIRST + 2 * pieces + expected.starts.length) * 4))
  const job: ReadJob = { fd, pieces, ...expected, state }
  helper.send(job)
  const memory = Buffer.from(code.memory.buffer)
  /** Pieces that `next` returned. */
  const returned = new Set<number>()
  let next = 0
  const wait = (n: number): void => {
    let since: number | null = null
    for (;;) {
      const now = Atomics.load(state, FIRST + n)
      if (now === READ || now === FAILED) return
      if (takePiece(job, memory, sumsOf)) continue
      // Nobody can take it, because its slot is not free.
      if (now !== CLAIMED) return
      since ??= performance.now()
      if (performance.now() - since > PATIENCE_MS) return
    }
  }
  return {
    next: () => {
      const n = next++
      if (n >= pieces) return null
      // What waits for the end of its chunk is in the piece before.
      Atomics.store(state, NEEDED, Math.max(0, n - 1))
      Atomics.notify(state, NEEDED)
      wait(n)
      // From here on its slot is given to another piece: who comes late must not read it there.
      if (Atomics.compareExchange(state, FIRST + n, FREE, CLOSED) !== READ) return null
      returned.add(n)
      const at = slotAt(n % SLOTS)
      return memory.subarray(at, at + (state[FIRST + pieces + n] as number))
    },
    isFound: (n, offset) => returned.has(Math.floor(offset / PIECE)) && state[FIRST + 2 * pieces + n] === offset + 1,
    expect: (n, offset) => void Atomics.store(state, SHIFT, offset - (expected.starts[n] as number)),
    end: () => {
      let isReading = false
      for (let n = 0; n < pieces; n++)
        isReading = Atomics.compareExchange(state, FIRST + n, FREE, CLOSED) === CLAIMED || isReading
      Atomics.store(state, NEEDED, pieces)
      Atomics.notify(state, NEEDED)
      if (isReading && Atomics.compareExchange(state, DONE, NOBODY, CALLER) === NOBODY) helper.closeLater(fd)
      else closeSync(fd)
    }
  }
}

/** In the other thread: takes pieces until none is left. True if the caller was done before, so that the file is still open. */
export function takePieces(job: ReadJob, memory: Buffer, sumsOf: SumsOf): boolean {
  const { state, pieces } = job
  for (;;) {
    const needed = Atomics.load(state, NEEDED)
    if (takePiece(job, memory, sumsOf)) continue
    if (needed + SLOTS >= pieces) return Atomics.compareExchange(state, DONE, NOBODY, HELPER) === CALLER
    Atomics.wait(state, NEEDED, needed, IDLE_MS)
  }
}

/** What another thread needs for `takePieces`. */
export function attach(code: SharedCode): { readonly memory: Buffer; readonly sumsOf: SumsOf } {
  return { memory: Buffer.from(code.memory.buffer), sumsOf: createSums(code, 1) }
}

/** Reads the first piece that nobody has claimed. False if there is none, or no slot for it. */
function takePiece(job: ReadJob, memory: Buffer, sumsOf: SumsOf): boolean {
  const { fd, pieces, state } = job
  const needed = Atomics.load(state, NEEDED)
  for (let n = needed; n < Math.min(needed + SLOTS, pieces); n++) {
    // A thread that was not waited for may still write to the slot.
    if (n >= SLOTS && Atomics.load(state, FIRST + n - SLOTS) === CLAIMED) continue
    if (Atomics.compareExchange(state, FIRST + n, FREE, CLAIMED) !== FREE) continue
    const at = slotAt(n % SLOTS)
    const length = readPiece(fd, memory.subarray(at, at + PIECE), n * PIECE)
    state[FIRST + pieces + n] = length
    findChunks(job, n, length, sumsOf)
    Atomics.store(state, FIRST + n, length < 0 ? FAILED : READ)
    return true
  }
  return false
}

/** -1 if it cannot be read: the caller, who reads it again, has the error. */
function readPiece(fd: number, space: Buffer, position: number): number {
  try {
    return fill(fd, space, position)
  } catch {
    return -1
  }
}

/** Notes which of the chunks that are expected in the n-th piece, as a whole, are there. */
function findChunks(job: ReadJob, n: number, length: number, sumsOf: SumsOf): void {
  const { starts, sums, state, pieces } = job
  const shift = Atomics.load(state, SHIFT)
  const [at, from] = [slotAt(n % SLOTS), n * PIECE]
  const found = FIRST + 2 * pieces
  for (let chunk = firstFrom(starts, from - shift); chunk < starts.length - 1; chunk++) {
    const begin = (starts[chunk] as number) + shift - from
    const size = (starts[chunk + 1] as number) - (starts[chunk] as number)
    if (begin + size > length) return
    const sum = chunk * SUM_BYTES
    if (sumsOf(at + begin, size).compare(sums, sum, sum + SUM_BYTES) === 0) state[found + chunk] = from + begin + 1
  }
}

/** The first chunk that begins at `offset` or behind it. */
function firstFrom(starts: Int32Array, offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) < offset) low = middle + 1
    else high = middle
  }
  return low
}
