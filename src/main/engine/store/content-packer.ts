/**
 * Chooses how new bytes are packed: against the previous version of the same file if that is clearly smaller, else alone.
 * Delta chains, as in git's packs, trade the time of a read for space: their depth is bounded, and a delta must save enough to
 * be worth one more link.
 */
import { CHUNKED, EVICTED_CODEC, pack, packDelta, RAW } from './codec.ts'
import {
  type ContentId,
  type ContentRow,
  type ContentRows,
  type PackedContent,
  readOrNull,
  withoutBase
} from './content-rows.ts'

/** Chains are not extended beyond this: reading the last content unpacks every one below it. git's default is 50. */
export const MAX_DEPTH = 40
/** Bytes. Dictionaries suit small edits of ordinary files. */
const MAX_DELTA_SIZE = 1 << 20
const MIN_DELTA_SIZE = 64
/** A delta below this share of the input is taken at once: compressing it alone could not be much smaller. */
const CLEAR_WIN_RATIO = 0.1
/** Else the delta must be below this share of the size without dictionary. */
const MAX_LINK_RATIO = 0.8
/** Bytes of recently stored contents held unpacked: the next version of a file then needs no unpacking of its chain. */
const RECENT_BYTES = 4 * 1024 * 1024
const MAX_RECENT_SIZE = 256 * 1024

/** `previous`: stored content that the bytes probably resemble. */
export type Packer = (bytes: Uint8Array, hash: Buffer, previous: ContentId | null) => PackedContent

export function createPacker(rows: ContentRows): Packer {
  const recent = createRecentContents()
  const baseFor = (bytes: Uint8Array, previous: ContentId | null): ContentRow | null => {
    if (previous === null || !fitsDelta(bytes.length)) return null
    const base = rows.row(previous)
    const isUsable =
      fitsDelta(base.size) && base.depth < MAX_DEPTH && base.codec !== CHUNKED && base.codec !== EVICTED_CODEC
    return isUsable ? base : null
  }
  const packFor = (bytes: Uint8Array, previous: ContentId | null): PackedContent => {
    const base = baseFor(bytes, previous)
    const dictionary = base && (recent.get(base.hash) ?? readOrNull(() => rows.unpack(base)))
    if (!base || !dictionary) return withoutBase(pack(bytes))
    const delta = packOnBase(bytes, base, dictionary)
    if (packedSize(delta) < bytes.length * CLEAR_WIN_RATIO) return delta
    const plain = withoutBase(pack(bytes))
    // RAW means incompressible bytes, such as an image: for them only the clear win above is worth a link.
    return plain.codec !== RAW && packedSize(delta) < packedSize(plain) * MAX_LINK_RATIO ? delta : plain
  }
  return (bytes, hash, previous) => {
    const packed = packFor(bytes, previous)
    recent.add(hash, bytes)
    return packed
  }
}

/** `dictionary`: the unpacked bytes of `base`. */
export function packOnBase(bytes: Uint8Array, base: ContentRow, dictionary: Uint8Array): PackedContent {
  return { ...packDelta(bytes, dictionary), base: base.id, depth: base.depth + 1, chunks: [] }
}

/** Bytes in the row itself; 0 for chunked content. */
export function packedSize({ bytes }: PackedContent): number {
  return bytes?.length ?? 0
}

function fitsDelta(size: number): boolean {
  return size <= MAX_DELTA_SIZE && size >= MIN_DELTA_SIZE
}

interface RecentContents {
  get(hash: Buffer | null): Uint8Array | undefined
  add(hash: Buffer, bytes: Uint8Array): void
}

/**
 * A cache bounded by bytes; the oldest goes first. Keyed by hash and not by row id, because SQLite reuses an id after a
 * rollback, or after another process deleted the row.
 */
function createRecentContents(): RecentContents {
  const recent = new Map<string, Uint8Array>()
  let held = 0
  return {
    get: (hash) => (hash ? recent.get(hash.toString('latin1')) : undefined),
    add: (hash, bytes) => {
      const key = hash.toString('latin1')
      if (bytes.length > MAX_RECENT_SIZE || recent.has(key)) return
      recent.set(key, bytes)
      held += bytes.length
      for (const [oldest, { length }] of recent) {
        if (held <= RECENT_BYTES) break
        recent.delete(oldest)
        held -= length
      }
    }
  }
}
