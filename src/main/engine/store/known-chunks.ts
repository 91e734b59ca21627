/**
 * The chunks of the version before, so that those of a new version are found without looking for their ends: bytes that
 * have the hash of a chunk and begin where one begins are that chunk. Which chunks a content has does not depend on it.
 */
import { createByteCache } from './byte-cache.ts'
import { type ChunkRange, chunkSizesOf, chunkUsesOf, partRemoved } from './chunks.ts'
import { type ContentId, hashOf } from './content-rows.ts'
import { createFingerprint, type Fingerprint, type SharedCode, SUM_BYTES } from './fingerprint.ts'
import { sha256 } from './hash.ts'
import { type ExpectedChunks, type ReadAhead, type ReadHelper, readAhead } from './read-ahead.ts'
import type { Readable } from './sql.ts'

export interface KnownChunks {
  /** Where the chunk at `from` ends, if it is the known one that is expected there; else 0. `offset`: in the content. */
  endOf(bytes: Buffer, from: number, to: number, offset: number): number
  /** The chunk that `endOf` found at this offset: one that is stored. */
  foundAt(offset: number): FoundChunk | undefined
  /** A new chunk, which the next version probably has. */
  remember(hash: Buffer, bytes: Buffer): void
  /** The newest chunk has this hash: behind an insertion, others are expected than at the same offset. */
  resumeAfter(hash: Buffer): void
  /** Throws Refused unless the chunks are stored as they were; call it in the transaction that adds some of them. */
  requireStored(store: Readable): void
  /** As of `Fingerprint`. */
  memory(length: number): Buffer
  /** Reads a file of this size together with another thread; null if it is small, or that thread is not there. */
  readAhead(fd: number, size: number, findHelper: FindHelper): ReadAhead | null
  /** The content is given again from its start. */
  restart(): void
}

/** The other thread, which has this code; null while it starts or is busy. */
export type FindHelper = (code: SharedCode) => ReadHelper | null

interface FoundChunk {
  readonly hash: Buffer
  /** Where it is in the version before. */
  readonly of: ChunkRange
}

interface KnownChunk {
  readonly hash: Buffer
  /** Bytes unpacked. */
  readonly size: number
}

/** `content`: of the version before, whose hash this is. Null if it is not in chunks. */
export function createKnownChunks(store: Readable, content: ContentId, hash: Buffer): KnownChunks | null {
  const uses = chunkUsesOf(store, content)
  // The last one ends with its content and not by its bytes.
  const chunks = chunksOfVersion(store, content, hash, uses).slice(0, -1)
  if (chunks.length === 0) return null
  const byOffset = new Map<number, number>()
  const byHash = new Map<string, number>()
  let length = 0
  for (const [n, chunk] of chunks.entries()) {
    byOffset.set(length, n)
    byHash.set(nameOf(chunk.hash), n)
    length += chunk.size
  }
  fingerprints ??= createFingerprints()
  const { isChunk, remember, memory, readAhead } = fingerprints
  const found = new Map<number, number>()
  let expected: number | undefined
  let ahead: ReadAhead | null = null
  return {
    endOf: (bytes, from, to, offset) => {
      const n = expected ?? byOffset.get(offset)
      const chunk = n === undefined ? undefined : chunks[n]
      expected = undefined
      // What is damaged is packed again.
      if (n === undefined || !chunk || uses[n]?.[1] !== 0 || from + chunk.size > to) return 0
      if (!ahead?.isFound(n, offset)) {
        if (!isChunk(bytes.subarray(from, from + chunk.size), chunk.hash)) return 0
        ahead?.expect(n, offset)
      }
      found.set(offset, n)
      expected = n + 1
      return from + chunk.size
    },
    foundAt: (offset) => {
      const n = found.get(offset)
      return n === undefined ? undefined : { hash: (chunks[n] as KnownChunk).hash, of: { content, first: n, count: 1 } }
    },
    remember,
    resumeAfter: (hash) => {
      const n = byHash.get(nameOf(hash))
      expected ??= n === undefined ? undefined : n + 1
    },
    requireStored: (now) => {
      // Ids alone prove nothing: SQLite gives those of removed rows to new ones.
      if (!hashOf(now, content)?.equals(hash) || !isSameUses(chunkUsesOf(now, content), uses)) throw partRemoved()
    },
    memory,
    readAhead: (fd, size, findHelper) => {
      ahead = readAhead(fd, size, chunks, findHelper)
      return ahead
    },
    restart: () => {
      found.clear()
      expected = undefined
      ahead = null
    }
  }
}

type Uses = ReturnType<typeof chunkUsesOf>

function isSameUses(now: Uses, before: Uses): boolean {
  return now.length === before.length && now.every(([id], n) => id === before[n]?.[0])
}

/** Of contents that this process recorded a short time ago: reading them takes as long as hashing a sixth of the content. */
const recorded = createByteCache<
  string,
  { readonly ids: readonly number[]; readonly chunks: readonly KnownChunk[]; readonly length: number }
>(8192)

/** The chunks of a content that was recorded now. */
export function rememberChunks(store: Readable, content: ContentId, hash: Buffer, chunks: readonly KnownChunk[]): void {
  const ids = chunkUsesOf(store, content).map(([id]) => id)
  if (ids.length === chunks.length) recorded.add(nameOf(hash), { ids, chunks, length: chunks.length })
}

function chunksOfVersion(store: Readable, content: ContentId, hash: Buffer, uses: Uses): readonly KnownChunk[] {
  const known = recorded.get(nameOf(hash))
  const isKnown = known && known.ids.length === uses.length && uses.every(([id], n) => id === known.ids[n])
  return isKnown ? known.chunks : chunkSizesOf(store, content)
}

/** Of this process, made when it first records another version of a large file. */
let fingerprints: Fingerprints | null = null

/** Characters of the fingerprints that are remembered: those of the chunks of some 2 GB. */
const MAX_REMEMBERED = 2 << 20

type Fingerprints = ReturnType<typeof createFingerprints>

/** Fingerprints of chunks by their hash, so that the same bytes are hashed once, and not again with each version. */
export function createFingerprints({ of, memory, shared }: Fingerprint = createFingerprint()) {
  const known = createByteCache<string, string>(MAX_REMEMBERED)
  return {
    /** Whether the bytes, as many as the chunk has, have this hash. */
    isChunk: (bytes: Buffer, hash: Buffer): boolean => {
      const fingerprint = of(bytes)
      const ofChunk = known.get(nameOf(hash))
      if (fingerprint !== null && ofChunk !== undefined) return fingerprint === ofChunk
      if (!sha256(bytes).equals(hash)) return false
      if (fingerprint !== null) known.add(nameOf(hash), fingerprint)
      return true
    },
    remember: (hash: Buffer, bytes: Buffer): void => {
      const fingerprint = of(bytes)
      if (fingerprint !== null) known.add(nameOf(hash), fingerprint)
    },
    memory,
    readAhead: (fd: number, size: number, chunks: readonly KnownChunk[], findHelper: FindHelper): ReadAhead | null => {
      if (!shared || size < MIN_READ_AHEAD || size > MAX_READ_AHEAD) return null
      const expected = expectChunks(chunks, (hash) => known.get(nameOf(hash)))
      const helper = expected && findHelper(shared.code)
      return helper && readAhead({ fd, size, expected }, { ...shared, helper })
    }
  }
}

/** Bytes. Less is read and compared in a millisecond. Offsets are numbers of 32 bits. */
const [MIN_READ_AHEAD, MAX_READ_AHEAD] = [8 << 20, 0x7fff_ffff]

/** Null unless the fingerprints of all chunks are known. */
function expectChunks(
  chunks: readonly KnownChunk[],
  fingerprintOf: (hash: Buffer) => string | undefined
): ExpectedChunks | null {
  const starts = new Int32Array(new SharedArrayBuffer(4 * (chunks.length + 1)))
  const sums = Buffer.from(new SharedArrayBuffer(SUM_BYTES * chunks.length))
  for (const [n, { hash, size }] of chunks.entries()) {
    const fingerprint = fingerprintOf(hash)
    if (fingerprint === undefined) return null
    sums.write(fingerprint.slice(-SUM_BYTES), n * SUM_BYTES, 'latin1')
    starts[n + 1] = (starts[n] as number) + size
  }
  return { starts, sums }
}

function nameOf(hash: Buffer): string {
  return hash.toString('latin1')
}
