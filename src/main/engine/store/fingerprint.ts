/**
 * Fingerprints of chunks: whether bytes are those of a chunk whose fingerprint is known takes a quarter of the time of
 * SHA-256. The function is NH of UMAC (J. Black et al., "UMAC: Fast and Secure Message Authentication", CRYPTO 1999; RFC
 * 4418) in four passes: two messages of one length that differ have the same fingerprint for at most one key in 2^128. The
 * key is random, new in each process, and in its memory only, so nobody can choose bytes that match. That is why a
 * fingerprint is not stored.
 */
import { randomFillSync } from 'node:crypto'
import { PIECE } from '../files/stable-read.ts'
import { log } from '../ports/log.ts'
import { fingerprintModule, PAGE, PASSES, STEP, VECTOR } from './fingerprint-code.ts'
import { MAX_CHUNK_SIZE } from './split.ts'

export interface Fingerprint {
  /** Null for more than MAX_CHUNK_SIZE bytes, or where WebAssembly is switched off or this processor cannot run the module. */
  of(bytes: Uint8Array): string | null
  /**
   * Memory of this many bytes in which `of` need not copy what it is given. There is only one: whoever asks for it must be
   * done with it before another can.
   */
  memory(length: number): Buffer
  /** For work with another thread; null where `of` returns null for everything. */
  readonly shared: { readonly code: SharedCode; readonly sumsOf: SumsOf } | null
}

/** The function and its memory, with the key, which may be sent to another thread. */
export interface SharedCode {
  readonly memory: WasmMemory
  readonly module: object
}

/** Pieces that are read before they are needed (read-ahead.ts). */
export const SLOTS = 4

const KEY_BYTES = MAX_CHUNK_SIZE + PASSES * VECTOR
export const SUM_BYTES = PASSES * VECTOR
/** What each of two threads writes to: its sums, and the end of a message. */
const DESK_BYTES = SUM_BYTES + STEP
const [KEY, DESKS, MESSAGE] = [0, KEY_BYTES, KEY_BYTES + 2 * DESK_BYTES]
/** Behind a message of the largest size. */
const SPACE = MESSAGE + MAX_CHUNK_SIZE
/** Before each piece is room for the bytes before it that belong to no chunk yet. */
const SPACE_BYTES = MAX_CHUNK_SIZE + PIECE
const PAGES = Math.ceil((SPACE + (1 + SLOTS) * SPACE_BYTES) / PAGE)

/** Where the n-th slot begins in the memory, behind its room. */
export const slotAt = (n: number): number => SPACE + (1 + n) * SPACE_BYTES + MAX_CHUNK_SIZE

/** With a key of its own. `key`: for tests, of KEY_BYTES. Takes 1.9 MB, and 5 MB more once files are read ahead. */
export function createFingerprint(key?: Uint8Array): Fingerprint {
  const code = createCode()
  if (!code) return { of: () => null, memory: Buffer.allocUnsafeSlow, shared: null }
  const own = Buffer.from(code.memory.buffer)
  if (key) own.set(key, KEY)
  else randomFillSync(own, KEY, KEY_BYTES)
  const sumsOf = createSums(code, 0)
  const space = own.subarray(SPACE, SPACE + SPACE_BYTES)
  return {
    of: (bytes) => {
      const { length } = bytes
      if (length > MAX_CHUNK_SIZE) return null
      const isInside = bytes.buffer === own.buffer && bytes.byteOffset >= SPACE
      if (!isInside) own.set(bytes, MESSAGE)
      // With the length, because the last bytes of the message may be zeros, too.
      return `${length} ${sumsOf(isInside ? bytes.byteOffset : MESSAGE, length).toString('latin1')}`
    },
    memory: (length) => (length <= SPACE_BYTES ? space : Buffer.allocUnsafeSlow(length)),
    shared: { code, sumsOf }
  }
}

/** The sums of a message in the memory, valid until the next call. `desk`: 0 or 1, another one in each thread. */
export type SumsOf = (at: number, length: number) => Buffer

export function createSums({ memory, module }: SharedCode, desk: 0 | 1): SumsOf {
  const { nh } = new WebAssembly.Instance(module, { env: { memory } }).exports
  const own = Buffer.from(memory.buffer)
  const out = DESKS + desk * DESK_BYTES
  const sums = own.subarray(out, out + SUM_BYTES)
  const end = own.subarray(out + SUM_BYTES, out + DESK_BYTES)
  return (at, length) => {
    const rest = length % STEP
    const whole = length - rest
    sums.fill(0)
    if (whole > 0) nh(at, KEY, at + whole, out)
    if (rest > 0 || whole === 0) {
      // Zeros up to the end of the last step, in place of what follows the message.
      end.fill(0)
      own.copy(end, 0, at + whole, at + length)
      nh(end.byteOffset, KEY + whole, end.byteOffset + STEP, out)
    }
    return sums
  }
}

/** Null where it cannot run: the chunks are then hashed, which only takes longer. */
function createCode(): SharedCode | null {
  if (typeof WebAssembly === 'undefined') return null
  try {
    const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true })
    const code = { memory, module: new WebAssembly.Module(fingerprintModule(PAGES)) }
    createSums(code, 0)
    return code
  } catch (error) {
    // Its vectors need a processor that has them, and its memory much address space.
    log.info(`large files are recorded more slowly: ${String(error)}`)
    return null
  }
}

interface WasmMemory {
  readonly buffer: SharedArrayBuffer
}

/** What is used of it: Node's types do not have it. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => WasmMemory
  Module: new (code: Uint8Array) => object
  Instance: new (
    module: object,
    imports: object
  ) => { readonly exports: { nh(message: number, key: number, end: number, out: number): void } }
}
