/**
 * Chooses how new bytes are packed: against the previous version of the same file if that is clearly smaller, else
 * alone. Packs stored contents again with another base, before a sweep evicts the one they were packed against. Delta
 * chains, as in git's packs, trade the time of a read for space: their depth is bounded, and a delta must save enough
 * to be worth one more link.
 */
import { CHUNKED, EVICTED_CODEC, pack, packDelta, RAW, SHARED } from './codec.ts'
import {
  type ContentId,
  type ContentRow,
  contentRow,
  type PackedContent,
  type RecentContents,
  readOrNull,
  repack,
  withoutBase
} from './content-rows.ts'
import { sha256 } from './hash.ts'
import type { Readable, Writable } from './sql.ts'
import { createUnverifiedReader } from './unverified-reader.ts'

/**
 * Chains are not extended beyond this: reading the last content unpacks every one below it. git's default is 50, but a
 * frame with a dictionary takes 20 us here, and a patch reads a chain for each of its files. A history of small edits
 * is a quarter larger than with 40.
 */
const MAX_DEPTH = 12
/** Bytes. Dictionaries suit small edits of ordinary files. */
const MAX_DELTA_SIZE = 1 << 20
const MIN_DELTA_SIZE = 64
/** A delta below this share of the input is taken at once: compressing it alone could not be much smaller. */
const CLEAR_WIN_RATIO = 0.1
/** Else the delta must be below this share of the size without dictionary. */
const MAX_LINK_RATIO = 0.8
/** `previous`: stored content that the bytes probably resemble. */
type Packer = (bytes: Uint8Array, hash: Buffer, previous: ContentId | null) => PackedContent

export function createPacker(store: Readable, recent: RecentContents): Packer {
  const packFor = (bytes: Uint8Array, previous: ContentId | null): PackedContent => {
    const base = previous === null || !fitsDelta(bytes.length) ? null : contentRow(store, previous)
    const dictionary = base && canBeBase(base) ? readOrNull(() => recent.bytesOf(base)) : null
    if (!base || !dictionary) return withoutBase(pack(bytes))
    const delta = packOnBase(bytes, base, dictionary)
    if (delta && packedSize(delta) < bytes.length * CLEAR_WIN_RATIO) return delta
    const plain = withoutBase(pack(bytes))
    if (!delta) return plain
    // RAW means incompressible bytes, such as an image: for them only the clear win above is worth a link.
    return plain.codec !== RAW && packedSize(delta) < packedSize(plain) * MAX_LINK_RATIO ? delta : plain
  }
  return (bytes, hash, previous) => {
    const packed = packFor(bytes, previous)
    recent.add(hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), packed)
    return packed
  }
}

function fitsDelta(size: number): boolean {
  return size <= MAX_DELTA_SIZE && size >= MIN_DELTA_SIZE
}

function canBeBase({ size, depth, codec, damaged }: ContentRow): boolean {
  return damaged === 0 && fitsDelta(size) && depth < MAX_DEPTH && ![CHUNKED, SHARED, EVICTED_CODEC].includes(codec)
}

/** `dictionary`: the unpacked bytes of `base`. */
function packOnBase(bytes: Uint8Array, base: ContentRow, dictionary: Uint8Array): PackedContent | null {
  const delta = packDelta(bytes, dictionary)
  return delta && { ...delta, base: base.id, depth: base.depth + 1, chunks: [] }
}

/** Bytes in the row itself; 0 for chunked content. */
function packedSize({ bytes }: PackedContent): number {
  return bytes?.length ?? 0
}

/**
 * Packs content `id` against `base`, or alone if `base` is null or does not save space. Returns the bytes it now takes,
 * its depth and its base; null if it could not be read correctly, and then it is unchanged.
 */
type Repacker = (
  tx: Writable<Readable>,
  id: ContentId,
  base: ContentId | null
) => { readonly packed: number; readonly depth: number; readonly base: ContentId | null } | null

/**
 * Call it along a chain from its first content on: each unpacked content is the next one's dictionary. A content is
 * replaced only after its bytes were read and matched their hash, so repacking never turns damage into a valid row.
 */
export function createRepacker(store: Readable): Repacker {
  const { read } = createUnverifiedReader(store)
  const unpacked = ({ id, codec }: ContentRow): Buffer | null =>
    [CHUNKED, SHARED, EVICTED_CODEC].includes(codec) ? null : readOrNull(() => read(id))
  const packSmallest = (bytes: Buffer, baseId: ContentId | null): PackedContent => {
    const plain = withoutBase(pack(bytes))
    const base = baseId === null ? null : contentRow(store, baseId)
    const dictionary = base && base.depth < MAX_DEPTH ? unpacked(base) : null
    if (!base || !dictionary) return plain
    const delta = packOnBase(bytes, base, dictionary)
    return delta && packedSize(delta) < packedSize(plain) ? delta : plain
  }
  return (tx, id, baseId) => {
    const row = contentRow(store, id)
    const bytes = unpacked(row)
    if (!bytes || !row.hash || !sha256(bytes).equals(row.hash)) return null
    const packed = packSmallest(bytes, baseId)
    repack(tx, id, packed)
    return { packed: packedSize(packed), depth: packed.depth, base: packed.base }
  }
}
