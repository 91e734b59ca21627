/** Compares two contents line by line: the blocks that differ, their number of lines, and the hunks of a patch. */
import { diffArrays } from 'diff'
import type { Encodings, FileChange, LineBlock } from '../../../contract/diff.ts'
import { LIMITS } from './classify.ts'
import { encodingsOfTexts } from './encoding.ts'
import { type Lines, lineKey, longest, sameLines, splitDifferent } from './lines.ts'

/** Blocks with the unchanged lines around them; the ranges include the context. */
export interface Hunk extends LineBlock {
  readonly blocks: readonly LineBlock[]
}

/** Unchanged lines around a block. Blocks with at most twice as many lines between them share a hunk, as in git. */
const CONTEXT = 3

/**
 * The blocks that differ, in order, with at least one unchanged line between two. Contents with different line units
 * have no line in common. Common lines at both ends are skipped first: most changes are small, and that makes them
 * linear.
 */
export function diffBlocks(before: Lines, after: Lines): LineBlock[] {
  if (before.unit !== after.unit) return [{ oldFrom: 0, oldTo: before.count, newFrom: 0, newTo: after.count }]
  const shorter = Math.min(before.count, after.count)
  const head = longest(shorter, (from, to) => sameLines(before, from, after, from, to - from))
  const tail = longest(shorter - head, (from, to) =>
    sameLines(before, before.count - to, after, after.count - to, to - from)
  )
  const [oldEnd, newEnd] = [before.count - tail, after.count - tail]
  if (oldEnd === head && newEnd === head) return []
  if (oldEnd === head || newEnd === head) return [{ oldFrom: head, oldTo: oldEnd, newFrom: head, newTo: newEnd }]
  const { keptOld, keptNew } = keptLines(before, oldEnd, after, newEnd, head)
  return blocksBetween(keptOld, keptNew, head)
}

/**
 * Marks (1) the lines from `head` on that both sides keep. Lines become integer ids, so that matching compares numbers.
 */
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
  const keptOld = new Uint8Array(oldIds.length)
  const keptNew = new Uint8Array(newIds.length)
  const keep: Keep = (oldLine, newLine) => {
    keptOld[oldCommon[oldLine]!] = 1
    keptNew[newCommon[newLine]!] = 1
  }
  const commonIds = (common: Int32Array, all: Int32Array): Int32Array => common.map((at) => all[at]!)
  matchLines(commonIds(oldCommon, oldIds), commonIds(newCommon, newIds), keep)
  return { keptOld, keptNew }
}

function positions(ids: Int32Array, inOther: readonly number[]): Int32Array {
  const found: number[] = []
  for (let i = 0; i < ids.length; i++) if (inOther[ids[i]!]) found.push(i)
  return Int32Array.from(found)
}

function blocksBetween(keptOld: Uint8Array, keptNew: Uint8Array, head: number): LineBlock[] {
  const blocks: LineBlock[] = []
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

/**
 * Groups blocks into hunks with context. `oldCount`: the number of lines of the old side, which bounds the last
 * context.
 */
export function groupHunks(blocks: readonly LineBlock[], oldCount: number): Hunk[] {
  const groups: LineBlock[][] = []
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

/** Edit distance at which the exact comparison gives up. Its work grows with the square of the distance. */
const EXACT_EDITS = 2500
/** The same bound for each stretch between two anchors. */
const STRETCH_EDITS = 300

/** Called for each pair of common lines. */
type Keep = (oldLine: number, newLine: number) => void

/**
 * Finds the lines that two texts have in common: a longest common subsequence with a bound on the work. Exact (jsdiff:
 * E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986) unless the texts are very different; then
 * lines that occur once on each side are anchors, as in Bram Cohen's patience diff, and a stretch between two anchors
 * that is still too different counts as replaced. Never quadratic in the number of lines, and deterministic.
 */
function matchLines(old: Int32Array, now: Int32Array, keep: Keep): void {
  const whole = { oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }
  if (matchExactly(old, now, whole, EXACT_EDITS, keep)) return
  // One level of anchors is enough in practice, and keeps the worst case flat.
  let oldFrom = 0
  let newFrom = 0
  for (const [oldTo, newTo] of anchors(old, now)) {
    matchExactly(old, now, { oldFrom, oldTo, newFrom, newTo }, STRETCH_EDITS, keep)
    keep(oldTo, newTo)
    oldFrom = oldTo + 1
    newFrom = newTo + 1
  }
  matchExactly(old, now, { ...whole, oldFrom, newFrom }, STRETCH_EDITS, keep)
}

/**
 * Matches equal ends, then the rest with jsdiff. False when that needs more than `maxEdits`; then only the ends are
 * kept.
 */
function matchExactly(old: Int32Array, now: Int32Array, stretch: LineBlock, maxEdits: number, keep: Keep): boolean {
  let { oldFrom, oldTo, newFrom, newTo } = stretch
  while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === now[newFrom]) keep(oldFrom++, newFrom++)
  while (oldFrom < oldTo && newFrom < newTo && old[oldTo - 1] === now[newTo - 1]) keep(--oldTo, --newTo)
  if (oldFrom === oldTo || newFrom === newTo) return true
  const [oldRest, newRest] = [Array.from(old.subarray(oldFrom, oldTo)), Array.from(now.subarray(newFrom, newTo))]
  const parts = diffArrays(oldRest, newRest, { maxEditLength: maxEdits })
  for (const { removed, added, value } of parts ?? []) {
    if (removed) oldFrom += value.length
    else if (added) newFrom += value.length
    else for (let n = 0; n < value.length; n++) keep(oldFrom++, newFrom++)
  }
  return parts !== undefined
}

/** Pairs of lines that occur exactly once on each side: the longest sequence that is in order on both. */
function anchors(old: Int32Array, now: Int32Array): [number, number][] {
  const onceInNew = onlyOnce(now)
  const pairs = [...onlyOnce(old)]
    .map(([id, oldLine]): [number, number] => [oldLine, onceInNew.get(id) ?? -1])
    .filter(([oldLine, newLine]) => oldLine >= 0 && newLine >= 0)
    .sort((x, y) => x[0] - y[0])
  // Longest increasing subsequence by patience sorting: the top of each pile, and for each pair the top of the previous
  // pile.
  const piles: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    let low = 0
    let high = piles.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[piles[middle]!]![1] < pairs[i]![1]) low = middle + 1
      else high = middle
    }
    if (low > 0) previous[i] = piles[low - 1]!
    piles[low] = i
  }
  const chain: [number, number][] = []
  for (let i = piles.at(-1) ?? -1; i !== -1; i = previous[i]!) chain.push(pairs[i]!)
  return chain.reverse()
}

/** The position of each id that occurs once; -1 for those that occur more often. */
function onlyOnce(ids: Int32Array): Map<number, number> {
  const at = new Map<number, number>()
  for (let i = 0; i < ids.length; i++) at.set(ids[i]!, at.has(ids[i]!) ? -1 : i)
  return at
}

export type LineCounts = Pick<FileChange, 'added' | 'deleted' | 'hunks'>

export const NO_LINES: LineCounts = { added: 0, deleted: 0, hunks: 0 }
const EMPTY = new Uint8Array(0)

/**
 * The encodings of contents that are compared line by line. Null for binary content and content over
 * `LIMITS.comparedBytes`, which has no counts and no hunks.
 */
export function encodingsOfLines(before: Uint8Array, after: Uint8Array): Encodings | null {
  return Math.max(before.length, after.length) > LIMITS.comparedBytes ? null : encodingsOfTexts(before, after)
}

/** null = a side that does not exist. Hunks are those of the patch, with context. */
export function countLines(before: Uint8Array | null, after: Uint8Array | null): LineCounts {
  const sides = [before ?? EMPTY, after ?? EMPTY] as const
  if (!encodingsOfLines(...sides)) return NO_LINES
  const [old, now] = splitDifferent(...sides)
  const blocks = diffBlocks(old, now)
  return {
    added: blocks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    deleted: blocks.reduce((sum, { oldFrom, oldTo }) => sum + oldTo - oldFrom, 0),
    hunks: groupHunks(blocks, old.count).length
  }
}
