/**
 * The chunks of the version before, so that those of a new version are found without looking for their ends: bytes that
 * have the hash of a chunk and begin where one begins are that chunk. Which chunks a content has does not depend on it.
 */
import { chunkSizesOf } from './chunks.ts'
import { sha256 } from './hash.ts'
import type { Readable } from './sql.ts'

export interface KnownChunks {
  /** Where the chunk at `from` ends, if it is the known one that is expected there; else 0. `offset`: in the content. */
  endOf(bytes: Buffer, from: number, to: number, offset: number): number
  /** The hash of the chunk that `endOf` found at this offset. */
  hashAt(offset: number): Buffer | undefined
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
  const found = new Map<number, Buffer>()
  let expected: number | undefined
  return {
    endOf: (bytes, from, to, offset) => {
      const n = expected ?? byOffset.get(offset)
      const chunk = n === undefined ? undefined : chunks[n]
      expected = undefined
      if (n === undefined || !chunk || from + chunk.size > to) return 0
      const hash = sha256(bytes.subarray(from, from + chunk.size))
      if (!hash.equals(chunk.hash)) return 0
      found.set(offset, hash)
      expected = n + 1
      return from + chunk.size
    },
    hashAt: (offset) => found.get(offset),
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
