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

/** Null for more than MAX_CHUNK_SIZE bytes, or where WebAssembly is switched off or this processor cannot run the module. */
export type Fingerprint = (bytes: Uint8Array) => string | null

const KEY_BYTES = MAX_CHUNK_SIZE + PASSES * VECTOR
const [KEY, MESSAGE] = [0, KEY_BYTES]
const OUT = MESSAGE + MAX_CHUNK_SIZE
const SUM_BYTES = PASSES * VECTOR

/** With a key of its own. `key`: for tests, of KEY_BYTES. Takes 0.6 MB. */
export function createFingerprint(key?: Uint8Array): Fingerprint {
  const loaded = loadModule()
  if (!loaded) return () => null
  const { memory, nh } = loaded
  const space = Buffer.from(memory.buffer)
  if (key) space.set(key, KEY)
  else randomFillSync(space, KEY, KEY_BYTES)
  return (bytes) => {
    if (bytes.length > MAX_CHUNK_SIZE) return null
    const padded = Math.max(STEP, Math.ceil(bytes.length / STEP) * STEP)
    space.set(bytes, MESSAGE)
    space.fill(0, MESSAGE + bytes.length, MESSAGE + padded)
    nh(MESSAGE, KEY, MESSAGE + padded, OUT)
    // With the length, because the last bytes of the message may be zeros, too.
    return `${bytes.length} ${space.toString('latin1', OUT, OUT + SUM_BYTES)}`
  }
}

/** Null where it cannot run: the chunks are then hashed, which only takes longer. */
function loadModule() {
  if (typeof WebAssembly === 'undefined') return null
  const pages = Math.ceil((OUT + SUM_BYTES) / PAGE)
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
