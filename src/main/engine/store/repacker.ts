/**
 * Packs stored contents again with another base, before a sweep evicts the one they were packed against. A content is
 * replaced only after its bytes were read and matched their hash, so repacking never turns damage into a valid row.
 */
import { createHash } from 'node:crypto'
import { CHUNKED, EVICTED_CODEC, pack } from './codec.ts'
import { MAX_DEPTH, packedSize, packOnBase } from './content-packer.ts'
import {
  type ContentId,
  type ContentRow,
  type ContentRows,
  type PackedContent,
  readOrNull,
  withoutBase
} from './content-rows.ts'
import { createUnverifiedReader } from './unverified-reader.ts'

/**
 * Packs content `id` against `base`, or alone if `base` is null or does not save space. Returns the bytes it now takes, its
 * depth and its base; null if it could not be read correctly, and then it is unchanged. Call inside a transaction.
 */
export type Repacker = (
  id: ContentId,
  base: ContentId | null
) => { readonly packed: number; readonly depth: number; readonly base: ContentId | null } | null

/** Call it along a chain from its first content on: each unpacked content is the next one's dictionary. */
export function createRepacker(rows: ContentRows): Repacker {
  const read = createUnverifiedReader(rows)
  const unpacked = ({ id, codec }: ContentRow): Buffer | null =>
    codec === CHUNKED || codec === EVICTED_CODEC ? null : readOrNull(() => read(id))
  const packSmallest = (bytes: Buffer, baseId: ContentId | null): PackedContent => {
    const plain = withoutBase(pack(bytes))
    const base = baseId === null ? null : rows.row(baseId)
    const dictionary = base && base.depth < MAX_DEPTH ? unpacked(base) : null
    if (!base || !dictionary) return plain
    const delta = packOnBase(bytes, base, dictionary)
    return packedSize(delta) < packedSize(plain) ? delta : plain
  }
  return (id, baseId) => {
    const row = rows.row(id)
    const bytes = unpacked(row)
    if (!bytes || !row.hash || !createHash('sha256').update(bytes).digest().equals(row.hash)) return null
    const packed = packSmallest(bytes, baseId)
    rows.repack(id, packed)
    return { packed: packedSize(packed), depth: packed.depth, base: packed.base }
  }
}
