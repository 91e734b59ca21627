/**
 * Reads batches of files in a worker of the initial snapshot. A batch is one transferable buffer and a small object per
 * file, so that it costs little to pass on.
 */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { openParents, type Parents } from '../files/pinned-folder.ts'
import type { Signature } from '../files/signature.ts'
import { PIECE, type PieceSink, readStable, type StableRead } from '../files/stable-read.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { NewChunk } from '../store/chunks.ts'
import { type Packed, packInto } from '../store/codec.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
import { createSplitter } from '../store/split.ts'
import { compressBound } from '../store/zstd.ts'
import type { Limit } from './ignore-rules.ts'
import { versionWithoutBytes } from './observe.ts'

export interface SnapshotJob extends Limit {
  readonly id: number
  readonly name: string
}

export interface BatchEntry {
  /** Index in the list of jobs. */
  readonly index: number
  /**
   * `packed`: a file whose bytes are in the batch. `large`: too large for a worker, which holds whole files in memory.
   */
  readonly version: FileVersion | 'packed' | 'large'
  readonly signature: Signature | null
  /** As of an observation. */
  readonly statAt: number
  /** Where the bytes of the batch hold its hash, followed by its frames; before each frame of a chunk, the chunk's hash. */
  readonly from: number
  readonly frames: readonly { readonly codec: number; readonly length: number }[]
  /** Whether the frames are chunks; else there is one frame. */
  readonly chunked: boolean
}

export interface SnapshotBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly entries: readonly BatchEntry[]
  /** Number of jobs done; the others did not fit into this batch. */
  readonly done: number
}

const HASH_LENGTH = 32

/** Reused by all batches of this thread; `packing` grows to the size of the largest batch. */
const reading = Buffer.allocUnsafeSlow(PIECE + 1)
let packing = Buffer.allocUnsafeSlow(PIECE)
const splitter = createSplitter()

/** Files above this many bytes are streamed by the writing thread instead. */
const WORKER_LIMIT = 8 * 1024 * 1024
/** A batch that holds this many packed bytes is full. */
const FULL = 8 * 1024 * 1024

/** Reads, hashes and packs files. A path below a link or a file is absent (CP-4). */
export function readBatch(root: string, jobs: readonly SnapshotJob[]): SnapshotBatch {
  using parents = openParents(createWorkspaceFs(root))
  const entries: BatchEntry[] = []
  let from = 0
  let at = 0
  let frames: { codec: number; length: number }[] = []
  let digest = createHash('sha256')
  const restart = (): void => {
    at = from + HASH_LENGTH
    frames = []
  }
  const add = (bytes: Buffer): void => {
    reserve(at, compressBound(bytes.length))
    const packed = packInto(bytes, packing, at)
    frames.push(packed)
    at += packed.length
  }
  const addChunks = (chunks: readonly Buffer[]): void => {
    for (const bytes of chunks) {
      reserve(at, HASH_LENGTH)
      packing.set(sha256(bytes), at)
      at += HASH_LENGTH
      add(bytes)
    }
  }
  /** For files of several pieces; one that changes while it is read starts again at the same offset. */
  const sink: PieceSink = {
    restart: () => {
      restart()
      digest = createHash('sha256')
      splitter.restart()
    },
    piece: (bytes) => {
      digest.update(bytes)
      addChunks(splitter.push(bytes))
    }
  }
  for (; entries.length < jobs.length && from < FULL; from = at) {
    const job = jobs[entries.length] as SnapshotJob
    const readAt = Date.now()
    restart()
    const read = readJob(parents, job, sink, readAt)
    const chunked = read.result === 'pieces'
    if (read.result === 'bytes') add(read.bytes)
    if (chunked) addChunks(splitter.end())
    if (read.result === 'bytes' || read.result === 'pieces') {
      packing.set(read.result === 'bytes' ? sha256(read.bytes) : digest.digest(), from)
      const { signature, statAt } = read
      entries.push({ index: entries.length, version: 'packed', signature, statAt, from, frames, chunked })
    } else {
      at = from
      entries.push({ index: entries.length, ...withoutBytes(read, job, readAt), from, frames: [], chunked })
    }
  }
  return { bytes: new Uint8Array(packing.subarray(0, at)), entries, done: entries.length }
}

function reserve(used: number, more: number): void {
  if (packing.length >= used + more) return
  const larger = Buffer.allocUnsafeSlow(Math.max(used + more, packing.length * 2))
  larger.set(packing.subarray(0, used))
  packing = larger
}

function readJob(parents: Parents, { name, limit }: SnapshotJob, sink: PieceSink, readAt: number): StableRead {
  let absolute: string | null
  try {
    absolute = parents.absolute(name)
  } catch (error) {
    if (isUnreadable(error)) return { result: 'unreadable', signature: null, error }
    throw error
  }
  return absolute === null
    ? { result: 'absent' }
    : readStable(absolute, Math.min(limit, WORKER_LIMIT), sink, { space: reading, readAt })
}

function withoutBytes(
  read: Exclude<StableRead, { result: 'bytes' | 'pieces' }>,
  { limit, overLimit }: SnapshotJob,
  readAt: number
): Pick<BatchEntry, 'version' | 'signature' | 'statAt'> {
  // One that could not be read is never trusted (CP-8).
  const statAt = read.result === 'unreadable' || read.result === 'changing' ? 0 : readAt
  if (read.result === 'too-large' && read.signature.size <= limit) return { version: 'large', signature: null, statAt }
  // A folder was a file when its name was recorded; the next scan records what it is now.
  if (read.result === 'absent' || read.result === 'folder') return { version: ABSENT, signature: null, statAt }
  return { version: versionWithoutBytes(read, { overLimit }), signature: read.signature, statAt }
}

/** The hash of an entry's file, and its bytes as they are packed. */
export function packedContent(
  { bytes }: SnapshotBatch,
  { from, frames, chunked }: BatchEntry
): { readonly hash: Buffer; readonly packed: Packed | readonly NewChunk[] } {
  let at = from
  const take = (length: number): Uint8Array => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const hash = Buffer.from(take(HASH_LENGTH))
  const chunks = frames.map(({ codec, length }) => {
    const chunkHash = chunked ? Buffer.from(take(HASH_LENGTH)) : hash
    return { hash: chunkHash, packed: { codec, bytes: take(length) } }
  })
  return { hash, packed: chunked ? chunks : (chunks[0] as (typeof chunks)[number]).packed }
}
