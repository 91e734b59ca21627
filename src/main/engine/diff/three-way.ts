/**
 * Merges two changes of one text that have no common log: what a sender's run changed, and what was changed here. Blocks of
 * lines, each in one of the two; where both changed the same lines, or lines next to each other, there is no merge, unless
 * both changed them alike.
 */
import type { LineBlock } from '../../../contract/diff.ts'
import { LIMITS } from './classify.ts'
import { isText, mixesEncodings } from './encoding.ts'
import { diffBlocks } from './line-diff.ts'
import { commonUnit, type Lines, splitLines } from './lines.ts'

/** Null where a line was changed in both, or one of the contents is no text, is too large, or has another encoding. */
export function mergeTexts(base: Buffer, theirs: Buffer, ours: Buffer): Buffer | null {
  const all = [base, theirs, ours]
  if (all.some((bytes) => bytes.length > LIMITS.comparedBytes || !isText(bytes)) || commonUnit(all) === null)
    return null
  const [old, their, our] = [splitLines(base), splitLines(theirs), splitLines(ours)]
  const merged = weaveBlocks(
    old,
    { lines: their, blocks: diffBlocks(old, their) },
    { lines: our, blocks: diffBlocks(old, our) }
  )
  return merged && !mixesEncodings(merged) ? merged : null
}

interface Side {
  readonly lines: Lines
  readonly blocks: readonly LineBlock[]
}

function weaveBlocks(old: Lines, theirs: Side, ours: Side): Buffer | null {
  const parts: Buffer[] = []
  let [t, o, at] = [0, 0, 0]
  const take = ({ lines }: Side, block: LineBlock): void => {
    parts.push(linesOf(old, at, block.oldFrom), linesOf(lines, block.newFrom, block.newTo))
    at = block.oldTo
  }
  for (;;) {
    const [their, our] = [theirs.blocks[t], ours.blocks[o]]
    if (!their && !our) break
    if (their && our && touch(their, our)) {
      if (!isSameChange(theirs, their, ours, our)) return null
      take(ours, our)
      t++
      o++
    } else if (their && (!our || their.oldFrom < our.oldFrom)) {
      take(theirs, their)
      t++
    } else if (our) {
      take(ours, our)
      o++
    }
  }
  parts.push(linesOf(old, at, old.count))
  return Buffer.concat(parts)
}

function touch(a: LineBlock, b: LineBlock): boolean {
  return a.oldFrom <= b.oldTo && b.oldFrom <= a.oldTo
}

function isSameChange(a: Side, blockA: LineBlock, b: Side, blockB: LineBlock): boolean {
  const isSamePlace = blockA.oldFrom === blockB.oldFrom && blockA.oldTo === blockB.oldTo
  return (
    isSamePlace && linesOf(a.lines, blockA.newFrom, blockA.newTo).equals(linesOf(b.lines, blockB.newFrom, blockB.newTo))
  )
}

/** Lines [from, to), 0-based. */
function linesOf({ bytes, starts }: Lines, from: number, to: number): Buffer {
  return bytes.subarray(starts[from], starts[to])
}
