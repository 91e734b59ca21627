/** Which changed lines a person selected in a diff. Pure; the engine undoes what the window counts. */
import type { LineBlock } from './diff.ts'
import type { LineSelection } from './params.ts'

/**
 * The parts of `blocks` in a selection. Lines of the version before stand for themselves. Lines of the version after
 * come with what they replaced: the first added line of a block with its first deleted one, and so on, and the last
 * added line with all deleted lines that are left. A deletion without added lines belongs to the line above it.
 */
export function selectedBlocks(blocks: readonly LineBlock[], selection: LineSelection): LineBlock[] {
  const partOf = selection.side === 'before' ? partBefore : partAfter
  return blocks.map((block) => partOf(block, selection)).filter((part) => part !== null)
}

function partBefore(block: LineBlock, { from, to }: LineSelection): LineBlock | null {
  const [oldFrom, oldTo] = [Math.max(from, block.oldFrom), Math.min(to, block.oldTo)]
  return oldFrom < oldTo ? { oldFrom, oldTo, newFrom: block.newFrom, newTo: block.newFrom } : null
}

function partAfter(block: LineBlock, { from, to }: LineSelection): LineBlock | null {
  if (block.newFrom === block.newTo) {
    const above = Math.max(0, block.newFrom - 1)
    return from <= above && above < to ? block : null
  }
  const [newFrom, newTo] = [Math.max(from, block.newFrom), Math.min(to, block.newTo)]
  if (newFrom >= newTo) return null
  const replaced = (line: number): number => Math.min(block.oldFrom + line - block.newFrom, block.oldTo)
  return {
    oldFrom: replaced(newFrom),
    oldTo: newTo === block.newTo ? block.oldTo : replaced(newTo),
    newFrom,
    newTo
  }
}
