/** What passes between the first copy and its workers: many files in two transferable buffers, so that no object is cloned for an ordinary file. */
import type { FileVersion } from '../../../contract/domain.ts'
import { createInside, type Inside, parentOf } from '../files/inside.ts'
import type { Signature } from '../files/signature.ts'
import { PIECE, readStable, type StableRead } from '../files/stable-read.ts'
import { isUnreadable } from '../ports/fs-errors.ts'
import { type Packed, packInto } from '../store/codec.ts'
import { sha256 } from '../store/hash.ts'
import { roomFor } from '../store/zstd.ts'

export interface CopyJob {
  readonly id: number
  readonly name: string
  readonly limit: number
}

/** Everything but a file whose bytes were taken. */
interface OtherEntry {
  /** Place in the list of jobs. */
  readonly n: number
  readonly version: FileVersion
  readonly signature: Signature | null
  readonly seen: number
  /** Too large for a worker, which holds whole files in memory. */
  readonly large: boolean
}

export interface CopiedBatch {
  /** Rows of COLUMNS numbers, one for each file whose bytes were taken. */
  readonly files: Float64Array<ArrayBuffer>
  /** For each of those files its hash, then its packed bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly others: readonly OtherEntry[]
}

/** n, ino, size, mtime, ctime, mode, seen, codec, where its hash starts in `bytes`, length of its packed bytes. */
const COLUMNS = 10
const HASH_LENGTH = 32

export interface Copied extends OtherEntry {
  readonly packed: Packed | null
  readonly hash: Buffer | null
}

const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }

/** Where files are read into and batches are put together; grows to what the largest batch took. */
const reading = Buffer.allocUnsafeSlow(PIECE + 1)
let packing = Buffer.allocUnsafeSlow(PIECE)

/** Reads, hashes and packs. A path whose parent is no real folder is absent; the read itself follows no link (CP-4). */
export function copyBatch(root: string, jobs: readonly CopyJob[], now: () => number): CopiedBatch {
  const inside = createInside(root)
  const files = new Float64Array(jobs.length * COLUMNS)
  const others: OtherEntry[] = []
  let row = 0
  let at = 0
  for (const [n, job] of jobs.entries()) {
    const seen = now()
    const read = readJob(inside, job)
    if (read.result !== 'bytes') {
      others.push({ n, seen, ...withoutBytes(read, job.limit) })
      continue
    }
    const { bytes, signature } = read
    const needed = at + HASH_LENGTH + roomFor(bytes.length)
    if (packing.length < needed) packing = grown(packing, at, needed)
    packing.set(sha256(bytes), at)
    const { codec, length } = packInto(bytes, packing, at + HASH_LENGTH)
    const { ino, size, mtime, ctime, mode } = signature
    files.set([n, ino, size, mtime, ctime, mode, seen, codec, at, length], row)
    row += COLUMNS
    at += HASH_LENGTH + length
  }
  return { files: files.slice(0, row), bytes: new Uint8Array(packing.subarray(0, at)), others }
}

const NO_PIECES = { restart: () => {}, piece: () => {} }

function readJob(inside: Inside, { name, limit }: CopyJob): StableRead {
  try {
    if (!inside.isFolder(parentOf(name))) return { result: 'absent' }
  } catch (error) {
    if (isUnreadable(error)) return { result: 'unreadable', signature: null }
    throw error
  }
  return readStable(inside.absolute(name), Math.min(limit, PIECE), NO_PIECES, reading)
}

function grown(full: Buffer, used: number, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, full.length * 2))
  larger.set(full.subarray(0, used))
  return larger
}

function withoutBytes(read: Exclude<StableRead, { result: 'bytes' }>, limit: number): Omit<OtherEntry, 'n' | 'seen'> {
  switch (read.result) {
    case 'absent':
    // It was a file when it was named; the next scan records it as what it is now.
    case 'folder':
      return { version: ABSENT, signature: null, large: false }
    case 'link':
      return {
        signature: read.signature,
        version: {
          ...ABSENT,
          kind: 'symlink',
          target: read.target ?? '',
          notStored: read.target === null ? 'name' : null
        },
        large: false
      }
    case 'special':
      return {
        signature: read.signature,
        version: { ...ABSENT, kind: 'special', mode: read.signature.mode, notStored: 'special' },
        large: false
      }
    case 'too-large':
      if (read.signature.size <= limit) return { version: ABSENT, signature: null, large: true }
      return notStored(read.signature, limit <= IGNORED_LIMIT ? 'ignored' : 'too-large')
    case 'pieces':
      return notStored(read.signature, 'changing')
    default:
      return notStored(read.signature, read.result)
  }
}

/** Files that git ignores have a limit of this or less. */
const IGNORED_LIMIT = 5 * 1024 * 1024

function notStored(
  signature: Signature | null,
  reason: NonNullable<FileVersion['notStored']>
): Omit<OtherEntry, 'n' | 'seen'> {
  const { size, mode } = signature ?? ABSENT
  return { signature, version: { ...ABSENT, kind: 'file', size, mode, notStored: reason }, large: false }
}

/** What was read, in the order of the jobs among each kind: files with bytes first. */
export function* unpackBatch(batch: CopiedBatch): Generator<Copied> {
  const { files, bytes, others } = batch
  for (let row = 0; row < files.length; row += COLUMNS) {
    const column = (n: number): number => files[row + n] as number
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
      n: column(0),
      version: { kind: 'file', size: signature.size, mode: signature.mode, hash: null, target: null, notStored: null },
      signature,
      seen: column(6),
      large: false,
      hash: Buffer.from(bytes.buffer, from, HASH_LENGTH),
      packed: {
        codec: column(7),
        bytes: bytes.subarray(from + HASH_LENGTH, from + HASH_LENGTH + column(9))
      }
    }
  }
  for (const other of others) yield { ...other, hash: null, packed: null }
}
