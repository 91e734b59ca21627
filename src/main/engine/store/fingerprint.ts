/**
 * Fingerprints of chunks: whether bytes are those of a chunk whose fingerprint is known takes a quarter of the time of
 * SHA-256. The function is NH of UMAC (J. Black et al., "UMAC: Fast and Secure Message Authentication", CRYPTO 1999; RFC
 * 4418) in four passes: two messages of one length that differ have the same fingerprint for at most one key in 2^128. The
 * key is random, new in each process, and in its memory only, so nobody can choose bytes that match. That is why a
 * fingerprint is not stored.
 */
import { randomFillSync } from 'node:crypto'
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
}

const KEY_BYTES = MAX_CHUNK_SIZE + PASSES * VECTOR
const SUM_BYTES = PASSES * VECTOR
const [KEY, OUT, MESSAGE] = [0, KEY_BYTES, KEY_BYTES + SUM_BYTES]
/** Behind a message of the largest size. The last step of one in it may take bytes behind it. */
const SPACE = MESSAGE + MAX_CHUNK_SIZE
const SPACE_BYTES = MAX_CHUNK_SIZE + (1 << 20)

/** With a key of its own. `key`: for tests, of KEY_BYTES. Takes 1.9 MB. */
export function createFingerprint(key?: Uint8Array): Fingerprint {
  const loaded = loadModule()
  if (!loaded) return { of: () => null, memory: Buffer.allocUnsafeSlow }
  const { memory, nh } = loaded
  const own = Buffer.from(memory.buffer)
  if (key) own.set(key, KEY)
  else randomFillSync(own, KEY, KEY_BYTES)
  const space = own.subarray(SPACE, SPACE + SPACE_BYTES)
  const behind = Buffer.alloc(STEP)
  return {
    of: (bytes) => {
      const { length } = bytes
      if (length > MAX_CHUNK_SIZE) return null
      const isInside = bytes.buffer === own.buffer && bytes.byteOffset >= SPACE
      const at = isInside ? bytes.byteOffset : MESSAGE
      if (!isInside) own.set(bytes, MESSAGE)
      // Zeros up to the end of the last step, in place of what follows the message.
      const [end, padded] = [at + length, at + Math.max(STEP, Math.ceil(length / STEP) * STEP)]
      own.copy(behind, 0, end, padded)
      own.fill(0, end, padded)
      nh(at, KEY, padded, OUT)
      behind.copy(own, end, 0, padded - end)
      // With the length, because the last bytes of the message may be zeros, too.
      return `${length} ${own.toString('latin1', OUT, OUT + SUM_BYTES)}`
    },
    memory: (length) => (length <= SPACE_BYTES ? space : Buffer.allocUnsafeSlow(length))
  }
}

/** Null where it cannot run: the chunks are then hashed, which only takes longer. */
function loadModule() {
  if (typeof WebAssembly === 'undefined') return null
  const pages = Math.ceil((SPACE + SPACE_BYTES + STEP) / PAGE)
  try {
    const memory = new WebAssembly.Memory({ initial: pages })
    const module = new WebAssembly.Module(fingerprintModule(pages))
    return { memory, ...new WebAssembly.Instance(module, { env: { memory } }).exports }
  } catch (error) {
    // Its vectors need a processor that has them, and its memory much address space.
    log.info(`large files are recorded more slowly: ${String(error)}`)
    return null
  }
}

/** What is used of it: Node's types do not have it. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  Module: new (code: Uint8Array) => object
  Instance: new (
    module: object,
    imports: object
  ) => { readonly exports: { nh(message: number, key: number, end: number, out: number): void } }
}
