/** Packs kept contents anew, on other dictionaries than before. */
import { createHash } from 'node:crypto'
import { CHUNKED, EMPTIED, pack } from './codec.ts'
import { browseContent } from './content-browser.ts'
import { MAX_DEPTH, onBase, sizeOf } from './content-packer.ts'
import {
  alone,
  type ContentId,
  type ContentRow,
  type ContentRows,
  type Filling,
  unlessDamaged
} from './content-rows.ts'

/** Null when the content cannot be read as it should: then it stays as it is. Call inside a transaction. */
export type Repacker = (
  id: ContentId,
  base: ContentId | null
) => { readonly packed: number; readonly depth: number; readonly base: ContentId | null } | null

/** Packs contents against another one, or alone (`base` null). Quickest along a chain, first of it first. */
export function createRepacker(rows: ContentRows): Repacker {
  // One chain after the other: what the last one was unpacked from serves the next.
  const read = browseContent(rows)
  const unpacked = ({ id, codec }: ContentRow): Buffer | null =>
    codec === CHUNKED || codec === EMPTIED ? null : unlessDamaged(() => read(id))
  const smaller = (bytes: Buffer, on: ContentId | null): Filling => {
    const plain = alone(pack(bytes))
    const base = on === null ? null : rows.row(on)
    const dictionary = base && base.depth < MAX_DEPTH ? unpacked(base) : null
    if (!base || !dictionary) return plain
    const delta = onBase(bytes, base, dictionary)
    return sizeOf(delta) < sizeOf(plain) ? delta : plain
  }
  return (id, on) => {
    const row = rows.row(id)
    const bytes = unpacked(row)
    if (!bytes || !row.hash || !createHash('sha256').update(bytes).digest().equals(row.hash)) return null
    const made = smaller(bytes, on)
    rows.fill(id, made)
    return { packed: sizeOf(made), depth: made.depth, base: made.base }
  }
}
