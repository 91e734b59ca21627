/** What passes between the first copy and its workers: many files in one transferable buffer. */
import type { FileVersion } from '../../../contract/domain.ts'
import { createInside } from '../files/inside.ts'
import type { Signature } from '../files/signature.ts'
import { PIECE, readStable } from '../files/stable-read.ts'
import { type Packed, pack } from '../store/codec.ts'
import { sha256 } from '../store/hash.ts'

export interface CopyJob {
  readonly id: number
  /** Absolute. */
  readonly path: string
  readonly name: string
  readonly limit: number
}

interface CopiedEntry {
  readonly id: number
  readonly name: string
  readonly version: FileVersion
  readonly signature: Signature | null
  readonly seen: number
  readonly large: boolean
  readonly codec: number
  readonly hash: Uint8Array | null
  readonly from: number
  readonly to: number
}

export interface CopiedBatch {
  readonly entries: readonly CopiedEntry[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface Copied extends Omit<CopiedEntry, 'codec' | 'from' | 'to' | 'hash'> {
  readonly packed: Packed | null
  readonly hash: Buffer | null
}

const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }

/** Reads, hashes and packs. Parents are folders by construction: their names were listed through real folders; the read itself follows no link. */
export function copyBatch(root: string, jobs: readonly CopyJob[], now: () => number): CopiedBatch {
  const inside = createInside(root)
  const pieces: Uint8Array[] = []
  const entries: CopiedEntry[] = []
  let at = 0
  for (const job of jobs) {
    const seen = now()
    const base = { id: job.id, name: job.name, seen, large: false, codec: 0, hash: null, from: 0, to: 0 }
    const there = inside.look(job.name)
    if (!there) {
      entries.push({ ...base, version: ABSENT, signature: null })
      continue
    }
    if (there.kind === 'file' && there.size > PIECE && there.size <= job.limit) {
      entries.push({ ...base, version: ABSENT, signature: null, large: true })
      continue
    }
    const read = readStable(job.path, Math.min(job.limit, PIECE), NO_PIECES)
    switch (read.result) {
      case 'bytes': {
        const hash = sha256(read.bytes)
        const packed = pack(read.bytes)
        pieces.push(packed.bytes)
        const version: FileVersion = {
          ...ABSENT,
          kind: 'file',
          size: read.signature.size,
          mode: read.signature.mode,
          hash: hash.toString('hex')
        }
        entries.push({
          ...base,
          version,
          signature: read.signature,
          codec: packed.codec,
          hash,
          from: at,
          to: at + packed.bytes.length
        })
        at += packed.bytes.length
        break
      }
      case 'link':
        entries.push({
          ...base,
          signature: read.signature,
          version: {
            ...ABSENT,
            kind: 'symlink',
            target: read.target ?? '',
            notStored: read.target === null ? 'name' : null
          }
        })
        break
      case 'absent':
        entries.push({ ...base, version: ABSENT, signature: null })
        break
      case 'folder':
        // It was a file when it was named; the next scan records it as what it is now.
        entries.push({ ...base, version: ABSENT, signature: null })
        break
      case 'special':
        entries.push({
          ...base,
          signature: read.signature,
          version: { ...ABSENT, kind: 'special', mode: read.signature.mode, notStored: 'special' }
        })
        break
      default: {
        const reason =
          read.result === 'too-large'
            ? job.limit < read.signature.size && job.limit <= 5 * 1024 * 1024
              ? 'ignored'
              : 'too-large'
            : read.result
        const version: FileVersion = {
          ...ABSENT,
          kind: 'file',
          size: read.signature?.size ?? 0,
          mode: read.signature?.mode ?? 0,
          notStored: reason === 'pieces' ? 'changing' : reason
        }
        entries.push({ ...base, signature: read.signature, version })
      }
    }
  }
  const bytes = new Uint8Array(at)
  let to = 0
  for (const piece of pieces) {
    bytes.set(piece, to)
    to += piece.length
  }
  return { entries, bytes }
}

const NO_PIECES = { restart: () => {}, piece: () => {} }

export function* unpackBatch(batch: CopiedBatch): Generator<Copied> {
  for (const { codec, from, to, hash, ...entry } of batch.entries) {
    yield {
      ...entry,
      hash: hash ? Buffer.from(hash) : null,
      packed: hash ? { codec, bytes: batch.bytes.subarray(from, to) } : null
    }
  }
}
