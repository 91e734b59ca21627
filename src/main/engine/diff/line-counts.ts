/** Counts added and deleted lines and hunks of a change. */
import { LIMITS } from './classify.ts'
import { isText } from './encoding.ts'
import { diffBlocks, groupHunks } from './line-diff.ts'
import { splitLines } from './lines.ts'

export interface LineCounts {
  readonly added: number
  readonly deleted: number
  readonly hunks: number
}

const NOTHING: LineCounts = { added: 0, deleted: 0, hunks: 0 }
const EMPTY = new Uint8Array(0)

/** Whether contents are compared line by line. Binary content and content over `LIMITS.opaqueBytes` has no counts and no hunks. */
export function hasLines(before: Uint8Array | null, after: Uint8Array | null): boolean {
  return [before, after].every((bytes) => bytes === null || (bytes.length <= LIMITS.opaqueBytes && isText(bytes)))
}

/** null = a side that does not exist. Hunks are those of the patch, with context. */
export function countLines(before: Uint8Array | null, after: Uint8Array | null): LineCounts {
  if (!hasLines(before, after)) return NOTHING
  const old = splitLines(before ?? EMPTY)
  const now = splitLines(after ?? EMPTY)
  const blocks = diffBlocks(old, now)
  let added = 0
  let deleted = 0
  for (const block of blocks) {
    added += block.newTo - block.newFrom
    deleted += block.oldTo - block.oldFrom
  }
  return { added, deleted, hunks: groupHunks(blocks, old.count).length }
}
