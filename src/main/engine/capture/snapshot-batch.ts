/**
 * Reads batches of files in a worker of the initial snapshot. A batch is one transferable buffer and a small object per
 * file, so that it costs little to pass on.
 */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { parentOf } from '../files/paths.ts'
import type { Signature } from '../files/signature.ts'
import { PIECE, type PieceSink, readStable, type StableRead } from '../files/stable-read.ts'
import { createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
import { type Packed, packInto } from '../store/codec.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
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
  /** When the stat was taken, ms. */
  readonly statAt: number
  /** Where the bytes of the batch hold its hash, followed by its packed pieces. */
  readonly from: number
  readonly pieces: readonly { readonly codec: number; readonly length: number }[]
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

/** Files above this many bytes are streamed by the writing thread instead. */
const WORKER_LIMIT = 8 * 1024 * 1024
/** A batch that holds this many packed bytes is full. */
const FULL = 8 * 1024 * 1024

/** Reads, hashes and packs files. A path below a link or a file is absent (CP-4). */
export function readBatch(root: string, jobs: readonly SnapshotJob[]): SnapshotBatch {
  const fs = createWorkspaceFs(root)
  const entries: BatchEntry[] = []
  let from = 0
  let at = 0
  let pieces: { codec: number; length: number }[] = []
  let digest = createHash('sha256')
  const restart = (): void => {
    at = from + HASH_LENGTH
    pieces = []
  }
  const add = (bytes: Buffer): void => {
    reserve(at, compressBound(bytes.length))
    const packed = packInto(bytes, packing, at)
    pieces.push(packed)
    at += packed.length
  }
  /** For files of several pieces; one that changes while it is read starts again at the same offset. */
  const sink: PieceSink = {
    restart: () => {
      restart()
      digest = createHash('sha256')
    },
    piece: (bytes) => {
      digest.update(bytes)
      add(bytes)
    }
  }
  for (; entries.length < jobs.length && from < FULL; from = at) {
    const job = jobs[entries.length] as SnapshotJob
    const statAt = Date.now()
    restart()
    const read = readJob(fs, job, sink)
    if (read.result === 'bytes') add(read.bytes)
    if (read.result === 'bytes' || read.result === 'pieces') {
      packing.set(read.result === 'bytes' ? sha256(read.bytes) : digest.digest(), from)
      entries.push({ index: entries.length, version: 'packed', signature: read.signature, statAt, from, pieces })
    } else {
      at = from
      entries.push({ index: entries.length, ...withoutBytes(read, job), statAt, from, pieces: [] })
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

function readJob(fs: WorkspaceFs, { name, limit }: SnapshotJob, sink: PieceSink): StableRead {
  try {
    if (!fs.isFolder(parentOf(name))) return { result: 'absent' }
  } catch (error) {
    if (isUnreadable(error)) return { result: 'unreadable', signature: null, error }
    throw error
  }
  return readStable(fs.absolute(name), Math.min(limit, WORKER_LIMIT), sink, reading)
}

function withoutBytes(
  read: Exclude<StableRead, { result: 'bytes' | 'pieces' }>,
  { limit, overLimit }: SnapshotJob
): Pick<BatchEntry, 'version' | 'signature'> {
  if (read.result === 'too-large' && read.signature.size <= limit) return { version: 'large', signature: null }
  // A folder was a file when its name was recorded; the next scan records what it is now.
  if (read.result === 'absent' || read.result === 'folder') return { version: ABSENT, signature: null }
  return { version: versionWithoutBytes(read, { overLimit }), signature: read.signature }
}

/** The hash of an entry's file, and its packed pieces. */
export function packedContent(
  { bytes }: SnapshotBatch,
  { from, pieces }: BatchEntry
): { readonly hash: Buffer; readonly packed: readonly Packed[] } {
  const packed: Packed[] = []
  let at = from + HASH_LENGTH
  for (const { codec, length } of pieces) {
    packed.push({ codec, bytes: bytes.subarray(at, at + length) })
    at += length
  }
  return { hash: Buffer.from(bytes.buffer, from, HASH_LENGTH), packed }
}
