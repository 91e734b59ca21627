/** Compares two contents line by line: the blocks that differ, and the hunks of a patch. */
import { matchLines } from './line-match.ts'
import { type Lines, lineKey, sameLine } from './lines.ts'

/** Lines [oldFrom, oldTo) are replaced by lines [newFrom, newTo). 0-based; one of the two ranges may be empty. */
export interface Block {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

/** Blocks with the unchanged lines around them; the ranges include the context. */
export interface Hunk extends Block {
  readonly blocks: readonly Block[]
}

/** Unchanged lines around a block. Blocks with at most twice as many lines between them share a hunk, as in git. */
const CONTEXT = 3

/**
 * The blocks that differ, in order, with at least one unchanged line between two. Contents with different line units have no
 * line in common. Common lines at both ends are skipped first: most changes are small, and that makes them linear.
 */
export function diffBlocks(before: Lines, after: Lines): Block[] {
  if (before.unit !== after.unit) return [{ oldFrom: 0, oldTo: before.count, newFrom: 0, newTo: after.count }]
  let head = 0
  while (head < before.count && head < after.count && sameLine(before, head, after, head)) head++
  let oldEnd = before.count
  let newEnd = after.count
  while (oldEnd > head && newEnd > head && sameLine(before, oldEnd - 1, after, newEnd - 1)) {
    oldEnd--
    newEnd--
  }
  if (oldEnd === head && newEnd === head) return []
  if (oldEnd === head || newEnd === head) return [{ oldFrom: head, oldTo: oldEnd, newFrom: head, newTo: newEnd }]
  const { keptOld, keptNew } = keptLines(before, oldEnd, after, newEnd, head)
  return blocksBetween(keptOld, keptNew, head)
}

/** Marks (1) the lines from `head` on that both sides keep. Lines become integer ids, so that matching compares numbers. */
function keptLines(before: Lines, oldEnd: number, after: Lines, newEnd: number, head: number) {
  const ids = new Map<string, number>()
  const inOld: number[] = []
  const inNew: number[] = []
  const oldIds = new Int32Array(oldEnd - head)
  const newIds = new Int32Array(newEnd - head)
  const idOf = (lines: Lines, line: number, occurs: number[]): number => {
    const key = lineKey(lines, line)
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    occurs[id] = 1
    return id
  }
  for (let i = 0; i < oldIds.length; i++) oldIds[i] = idOf(before, head + i, inOld)
  for (let i = 0; i < newIds.length; i++) newIds[i] = idOf(after, head + i, inNew)
  // A line that only one side has cannot be kept. Without such lines, comparing two quite different files is cheap.
  const oldCommon = positions(oldIds, inNew)
  const newCommon = positions(newIds, inOld)
  const keptInOld = new Uint8Array(oldCommon.length)
  const keptInNew = new Uint8Array(newCommon.length)
  matchLines(
    oldCommon.map((at) => oldIds[at]!),
    newCommon.map((at) => newIds[at]!),
    keptInOld,
    keptInNew
  )
  const keptOld = new Uint8Array(oldIds.length)
  const keptNew = new Uint8Array(newIds.length)
  for (let i = 0; i < oldCommon.length; i++) keptOld[oldCommon[i]!] = keptInOld[i]!
  for (let i = 0; i < newCommon.length; i++) keptNew[newCommon[i]!] = keptInNew[i]!
  return { keptOld, keptNew }
}

function positions(ids: Int32Array, inOther: readonly number[]): Int32Array {
  const found: number[] = []
  for (let i = 0; i < ids.length; i++) if (inOther[ids[i]!]) found.push(i)
  return Int32Array.from(found)
}

function blocksBetween(keptOld: Uint8Array, keptNew: Uint8Array, head: number): Block[] {
  const blocks: Block[] = []
  let i = 0
  let j = 0
  while (i < keptOld.length || j < keptNew.length) {
    const oldFrom = i
    const newFrom = j
    while (i < keptOld.length && !keptOld[i]) i++
    while (j < keptNew.length && !keptNew[j]) j++
    if (i > oldFrom || j > newFrom) {
      blocks.push({ oldFrom: head + oldFrom, oldTo: head + i, newFrom: head + newFrom, newTo: head + j })
    }
    // Kept lines come in pairs: both sides are at the same kept line now, or both at their end.
    i++
    j++
  }
  return blocks
}

/** Groups blocks into hunks with context. `oldCount`: the number of lines of the old side, which bounds the last context. */
export function groupHunks(blocks: readonly Block[], oldCount: number): Hunk[] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const group = groups.at(-1)
    if (group && block.oldFrom - group.at(-1)!.oldTo <= 2 * CONTEXT) group.push(block)
    else groups.push([block])
  }
  return groups.map((group) => {
    const first = group[0]!
    const last = group.at(-1)!
    const lead = Math.min(CONTEXT, first.oldFrom)
    const trail = Math.min(CONTEXT, oldCount - last.oldTo)
    return {
      oldFrom: first.oldFrom - lead,
      oldTo: last.oldTo + trail,
      newFrom: first.newFrom - lead,
      newTo: last.newTo + trail,
      blocks: group
    }
  })
}
