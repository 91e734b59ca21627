/**
 * Reads batches of files in a worker and unpacks them in the writing thread. A batch is two transferable buffers, numbers and
 * bytes, so that an ordinary file costs no cloned object. Only paths without bytes and files of several pieces are objects.
 */
import { createHash, type Hash } from 'node:crypto'
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
import type { Limit } from './limit.ts'
import { versionWithoutBytes } from './observe.ts'

export interface SnapshotJob {
  readonly id: number
  readonly name: string
  readonly limit: number
  /** Reason for a file above the limit. */
  readonly overLimit: Limit['overLimit']
}

/** Any path but a file of one piece. */
interface UnpackedEntry {
  /** Index in the list of jobs. */
  readonly index: number
  readonly version: FileVersion
  readonly signature: Signature | null
  /** When the stat was taken, ms. */
  readonly statAt: number
  /** Too large for a worker, which holds whole files in memory. */
  readonly large: boolean
  /** SHA-256 of a file of several pieces. */
  readonly hash: Uint8Array | null
  readonly pieces: readonly Piece[]
}

/** Position of a packed piece in the bytes of the batch. */
interface Piece {
  readonly codec: number
  readonly from: number
  readonly length: number
}

export interface SnapshotBatch {
  /** Rows of COLUMNS numbers, one per file of one piece. */
  readonly files: Float64Array<ArrayBuffer>
  /** For each of those files its hash, then its packed bytes; then the pieces of `entries`. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly entries: readonly UnpackedEntry[]
  /** Number of jobs done; the others did not fit into this batch. */
  readonly done: number
}

/** index, ino, size, mtime, ctime, mode, statAt, codec, offset of its hash in `bytes`, length of its packed bytes. */
const COLUMNS = 10
const HASH_LENGTH = 32

export interface BatchEntry extends Omit<UnpackedEntry, 'hash' | 'pieces'> {
  readonly hash: Buffer | null
  /** One piece for a small file, several for a larger one, none for a path without bytes. */
  readonly packed: readonly Packed[]
}

/** Reused by all batches of this thread; `packing` grows to the size of the largest batch. */
const reading = Buffer.allocUnsafeSlow(PIECE + 1)
let packing = Buffer.allocUnsafeSlow(PIECE)

/** Files above this many bytes are streamed by the writing thread instead. */
const WORKER_LIMIT = 8 * 1024 * 1024
/** A batch that holds this many packed bytes is full. */
const FULL = 8 * 1024 * 1024

/** Reads, hashes and packs files. A path below a link or a file is absent (CP-4). */
export function readBatch(root: string, jobs: readonly SnapshotJob[], now: () => number): SnapshotBatch {
  const fs = createWorkspaceFs(root)
  const files = new Float64Array(jobs.length * COLUMNS)
  const entries: UnpackedEntry[] = []
  const large = createPiecePacker()
  let row = 0
  let at = 0
  let done = 0
  for (; done < jobs.length && at < FULL; done++) {
    const job = jobs[done] as SnapshotJob
    const statAt = now()
    large.start(at)
    const read = readJob(fs, job, large)
    if (read.result === 'pieces') {
      const { size, mode } = read.signature
      const version: FileVersion = { ...ABSENT, kind: 'file', size, mode }
      entries.push({ index: done, statAt, version, signature: read.signature, large: false, ...large.result() })
      at = large.end()
      continue
    }
    if (read.result !== 'bytes') {
      entries.push({ index: done, statAt, hash: null, pieces: [], ...withoutBytes(read, job) })
      continue
    }
    const { bytes, signature } = read
    reserve(at, HASH_LENGTH + compressBound(bytes.length))
    packing.set(sha256(bytes), at)
    const { codec, length } = packInto(bytes, packing, at + HASH_LENGTH)
    const { ino, size, mtime, ctime, mode } = signature
    files.set([done, ino, size, mtime, ctime, mode, statAt, codec, at, length], row)
    row += COLUMNS
    at += HASH_LENGTH + length
  }
  return { files: files.slice(0, row), bytes: new Uint8Array(packing.subarray(0, at)), entries, done }
}

/** Packs the pieces of a file into the batch; a file that changes while it is read starts again at the same offset. */
function createPiecePacker(): PieceSink & {
  start(at: number): void
  result(): { hash: Uint8Array; pieces: Piece[] }
  end(): number
} {
  let first = 0
  let at = 0
  let pieces: Piece[] = []
  let digest: Hash | null = null
  const restart = (): void => {
    at = first
    pieces = []
    digest = createHash('sha256')
  }
  return {
    start: (from) => {
      first = from
    },
    restart,
    piece: (bytes) => {
      digest?.update(bytes)
      reserve(at, compressBound(bytes.length))
      const { codec, length } = packInto(bytes, packing, at)
      pieces.push({ codec, from: at, length })
      at += length
    },
    result: () => ({ hash: new Uint8Array((digest as Hash).digest()), pieces }),
    end: () => at
  }
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
    if (isUnreadable(error)) return { result: 'unreadable', signature: null }
    throw error
  }
  return readStable(fs.absolute(name), Math.min(limit, WORKER_LIMIT), sink, reading)
}

function withoutBytes(
  read: Exclude<StableRead, { result: 'bytes' | 'pieces' }>,
  { limit, overLimit }: SnapshotJob
): Pick<UnpackedEntry, 'version' | 'signature' | 'large'> {
  const large = read.result === 'too-large' && read.signature.size <= limit
  // A folder was a file when its name was recorded; the next scan records what it is now.
  if (large || read.result === 'absent' || read.result === 'folder') return { version: ABSENT, signature: null, large }
  return { version: versionWithoutBytes(read, { overLimit, folderReason: null }), signature: read.signature, large }
}

/** The entries of a batch: files of one piece first, then the others, each in the order of the jobs. */
export function* unpackBatch(batch: SnapshotBatch): Generator<BatchEntry> {
  const { files, bytes, entries } = batch
  for (let row = 0; row < files.length; row += COLUMNS) {
    const column = (index: number): number => files[row + index] as number
    const from = column(8)
    const signature: Signature = {
      kind: 'file',
      ino: column(1),
      size: column(2),
      mtime: column(3),
      ctime: column(4),
      mode: column(5)
    }
    yield {
      index: column(0),
      version: { kind: 'file', size: signature.size, mode: signature.mode, hash: null, target: null, notStored: null },
      signature,
      statAt: column(6),
      large: false,
      hash: Buffer.from(bytes.buffer, from, HASH_LENGTH),
      packed: [{ codec: column(7), bytes: bytes.subarray(from + HASH_LENGTH, from + HASH_LENGTH + column(9)) }]
    }
  }
  for (const { pieces, hash, ...entry } of entries) {
    yield {
      ...entry,
      hash: hash && Buffer.from(hash),
      packed: pieces.map(({ codec, from, length }) => ({ codec, bytes: bytes.subarray(from, from + length) }))
    }
  }
}
