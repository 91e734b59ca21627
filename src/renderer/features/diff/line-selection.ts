/** The changed lines of hunks that a person selected, kept or undid. Pure. */
import type { LineBlock, TextHunk } from '../../../contract/diff.ts'
import type { LineSelection } from '../../../contract/restore.ts'
import { selectedBlocks } from '../../../contract/selected-lines.ts'

export interface SelectedLines {
  /** Numbers of the hunks they are in. */
  readonly hunks: readonly number[]
  /** Without unchanged lines, and without those that are undone. */
  readonly lines: readonly LineSelection[]
  /** A line and what it replaced count as one. */
  readonly count: number
}

/** A selection of an editor: 1-based, and its end is after the last selected character. */
export interface TextRange {
  readonly startLineNumber: number
  readonly startColumn: number
  readonly endLineNumber: number
  readonly endColumn: number
}

/** The lines of a selection, null if it is empty. A line of which nothing is selected at the end does not count. */
export function linesOfRange(side: LineSelection['side'], range: TextRange): LineSelection | null {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = range
  if (startLineNumber === endLineNumber && startColumn === endColumn) return null
  const to = endColumn === 1 && endLineNumber > startLineNumber ? endLineNumber - 1 : endLineNumber
  return { side, from: startLineNumber - 1, to }
}

/** Null if none of the lines can be undone. */
export function selectedLines(hunks: readonly TextHunk[], selection: LineSelection | null): SelectedLines | null {
  if (!selection) return null
  const found = hunks
    .filter(({ undoneBy }) => undoneBy === null)
    .map((hunk) => ({
      n: hunk.n,
      lines: selectedBlocks(hunk.blocks, selection).flatMap((part) => without(selectionOf(part), hunk.undoneLines))
    }))
    .filter(({ lines }) => lines.length > 0)
  const lines = found.flatMap((hunk) => hunk.lines)
  const count = lines.reduce((sum, { from, to }) => sum + to - from, 0)
  return count > 0 ? { hunks: found.map(({ n }) => n), lines, count } : null
}

/** Added lines stand for what they replaced. */
function selectionOf({ oldFrom, oldTo, newFrom, newTo }: LineBlock): LineSelection {
  return newFrom < newTo ? { side: 'after', from: newFrom, to: newTo } : { side: 'before', from: oldFrom, to: oldTo }
}

/** The rest of a selection. */
function without(selection: LineSelection, removed: readonly LineSelection[]): LineSelection[] {
  let rest = [selection]
  for (const { from, to } of removed.filter(({ side }) => side === selection.side))
    rest = rest.flatMap((lines) =>
      [
        { ...lines, to: Math.min(lines.to, from) },
        { ...lines, from: Math.max(lines.from, to) }
      ].filter((part) => part.from < part.to)
    )
  return rest
}

/** Whether the selections contain all changed lines of the blocks. */
export function areCovered(blocks: readonly LineBlock[], selections: readonly LineSelection[]): boolean {
  const [old, now] = [new Set<number>(), new Set<number>()]
  for (const selection of selections)
    for (const part of selectedBlocks(blocks, selection)) {
      for (let line = part.oldFrom; line < part.oldTo; line++) old.add(line)
      for (let line = part.newFrom; line < part.newTo; line++) now.add(line)
    }
  const changed = blocks.reduce((sum, block) => sum + block.oldTo - block.oldFrom + block.newTo - block.newFrom, 0)
  return old.size + now.size === changed
}

export function isWithinHunk(hunk: LineBlock, { side, from, to }: LineSelection): boolean {
  return side === 'after' ? from >= hunk.newFrom && to <= hunk.newTo : from >= hunk.oldFrom && to <= hunk.oldTo
}
