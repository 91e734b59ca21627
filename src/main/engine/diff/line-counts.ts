/** How many lines a change added and deleted, and in how many hunks. */
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

/**
 * Whether contents are compared line by line. Binary content and content over 20 MB is taken as one whole: no counts and
 * no hunks.
 */
export function hasLines(before: Uint8Array | null, after: Uint8Array | null): boolean {
  return [before, after].every((bytes) => bytes === null || (bytes.length <= LIMITS.opaqueBytes && isText(bytes)))
}

/** Line counts of a change; null is a side that does not exist. The hunks are those of the patch. */
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
