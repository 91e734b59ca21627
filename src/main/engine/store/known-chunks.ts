/**
 * The chunks of the version before, so that those of a new version are found without looking for their ends: bytes that
 * have the hash of a chunk and begin where one begins are that chunk. Which chunks a content has does not depend on it.
 */
import { createByteCache } from './byte-cache.ts'
import { chunkSizesOf } from './chunks.ts'
import { createFingerprint, type Fingerprint } from './fingerprint.ts'
import { sha256 } from './hash.ts'
import type { Readable } from './sql.ts'

export interface KnownChunks {
  /** Where the chunk at `from` ends, if it is the known one that is expected there; else 0. `offset`: in the content. */
  endOf(bytes: Buffer, from: number, to: number, offset: number): number
  /** The hash of the chunk that `endOf` found at this offset: one that is stored. */
  hashAt(offset: number): Buffer | undefined
  /** A new chunk, which the next version probably has. */
  remember(hash: Buffer, bytes: Buffer): void
  /** The newest chunk has this hash: behind an insertion, others are expected than at the same offset. */
  resumeAfter(hash: Buffer): void
  /** The content is given again from its start. */
  restart(): void
}

/** `content`: of the version before. Null if it is not in chunks. */
export function createKnownChunks(store: Readable, content: number): KnownChunks | null {
  // The last one ends with its content and not by its bytes.
  const chunks = chunkSizesOf(store, content).slice(0, -1)
  if (chunks.length === 0) return null
  const byOffset = new Map<number, number>()
  const byHash = new Map<string, number>()
  let length = 0
  for (const [n, { hash, size }] of chunks.entries()) {
    byOffset.set(length, n)
    byHash.set(hash.toString('latin1'), n)
    length += size
  }
  fingerprints ??= createFingerprints()
  const { isChunk, remember } = fingerprints
  const found = new Map<number, Buffer>()
  let expected: number | undefined
  return {
    endOf: (bytes, from, to, offset) => {
      const n = expected ?? byOffset.get(offset)
      const chunk = n === undefined ? undefined : chunks[n]
      expected = undefined
      // What is damaged is packed again.
      if (n === undefined || !chunk || chunk.damaged === 1 || from + chunk.size > to) return 0
      if (!isChunk(bytes.subarray(from, from + chunk.size), chunk.hash)) return 0
      found.set(offset, chunk.hash)
      expected = n + 1
      return from + chunk.size
    },
    hashAt: (offset) => found.get(offset),
    remember,
    resumeAfter: (hash) => {
      const n = byHash.get(hash.toString('latin1'))
      expected ??= n === undefined ? undefined : n + 1
    },
    restart: () => {
      found.clear()
      expected = undefined
    }
  }
}

/** Of this process, made when it first records another version of a large file. */
let fingerprints: Fingerprints | null = null

/** Characters of the fingerprints that are remembered: those of the chunks of some 2 GB. */
const MAX_REMEMBERED = 2 << 20

type Fingerprints = ReturnType<typeof createFingerprints>

/** Fingerprints of chunks by their hash, so that the same bytes are hashed once, and not again with each version. */
export function createFingerprints(fingerprintOf: Fingerprint = createFingerprint()) {
  const known = createByteCache<string, string>(MAX_REMEMBERED)
  return {
    /** Whether the bytes, as many as the chunk has, have this hash. */
    isChunk: (bytes: Buffer, hash: Buffer): boolean => {
      const fingerprint = fingerprintOf(bytes)
      const ofChunk = known.get(hash.toString('latin1'))
      if (fingerprint !== null && ofChunk !== undefined) return fingerprint === ofChunk
      if (!sha256(bytes).equals(hash)) return false
      if (fingerprint !== null) known.add(hash.toString('latin1'), fingerprint)
      return true
    },
    remember: (hash: Buffer, bytes: Buffer): void => {
      const fingerprint = fingerprintOf(bytes)
      if (fingerprint !== null) known.add(hash.toString('latin1'), fingerprint)
    }
  }
}
