/** Which lines a selection in the editor offers to keep or undo, and when a hunk is decided by its lines. */
import { expect, test } from 'vitest'
import type { LineBlock, TextHunk } from '../../../src/contract/diff.ts'
import { linesOfRange, selectedLines } from '../../../src/renderer/features/diff/line-selection.ts'
import { decisionsOf, hunkKey, linesKey, marksOf } from '../../../src/renderer/features/diff/review.ts'

const block = (oldFrom: number, oldTo: number, newFrom: number, newTo: number): LineBlock => ({
  oldFrom,
  oldTo,
  newFrom,
  newTo
})
const hunk = (n: number, ...blocks: LineBlock[]): TextHunk => ({
  n,
  ...block(blocks[0]!.oldFrom, blocks.at(-1)!.oldTo, blocks[0]!.newFrom, blocks.at(-1)!.newTo),
  blocks,
  undoneBy: null,
  undoneLines: []
})
/** Lines 3 to 5 are changed, line 8 is added; two lines after line 20 are deleted. */
const HUNKS = [hunk(1, block(2, 5, 2, 5), block(7, 7, 7, 8)), hunk(2, block(19, 21, 20, 20))]
const lines = (from: number, to: number) => ({ side: 'after', from, to }) as const

test('a line counts from its first selected character, and not for the end of the line before', () => {
  const range = (startLineNumber: number, startColumn: number, endLineNumber: number, endColumn: number) =>
    linesOfRange('after', { startLineNumber, startColumn, endLineNumber, endColumn })
  expect(range(3, 4, 3, 4)).toBeNull()
  expect(range(3, 4, 3, 5)).toEqual(lines(2, 3))
  expect(range(3, 4, 6, 1)).toEqual(lines(2, 5))
  expect(range(3, 4, 6, 2)).toEqual(lines(2, 6))
})

test('[RS-21] only changed lines are offered; what they replaced is not counted', () => {
  expect(selectedLines(HUNKS, null)).toBeNull()
  expect(selectedLines(HUNKS, lines(9, 15))).toBeNull()
  expect(selectedLines(HUNKS, lines(3, 10))).toEqual({ hunks: [1], lines: [lines(3, 5), lines(7, 8)], count: 3 })
  const deleted = { side: 'before', from: 19, to: 21 } as const
  expect(selectedLines(HUNKS, lines(7, 20))).toEqual({ hunks: [1, 2], lines: [lines(7, 8), deleted], count: 3 })
})

test('[RS-21] lines that are undone are not offered', () => {
  const undone = [{ side: 'before', from: 3, to: 5 } as const, lines(3, 5)]
  const partly = [{ ...HUNKS[0]!, undoneLines: undone }]
  expect(selectedLines(partly, lines(3, 5))).toBeNull()
  expect(selectedLines(partly, lines(0, 9))).toMatchObject({ lines: [lines(2, 3), lines(7, 8)], count: 2 })
  expect(selectedLines(partly, lines(4, 8))?.lines).toEqual([lines(7, 8)])
  expect(selectedLines([{ ...HUNKS[0]!, undoneBy: 'rst_1' }], lines(0, 99))).toBeNull()
})

test('[RS-21] a hunk is kept when each of its lines is kept or undone', () => {
  const [first] = HUNKS as [TextHunk, TextHunk]
  const some = new Set([linesKey(first, lines(3, 5)), linesKey(first, lines(7, 8))])
  expect([...marksOf(HUNKS, decisionsOf(HUNKS, some), some)]).toEqual([[1, 'partly kept']])
  expect(decisionsOf(HUNKS, new Set([...some, linesKey(first, lines(2, 3))])).get(1)).toBe('kept')
  const partly = [{ ...first, undoneLines: [{ side: 'before', from: 2, to: 3 } as const, lines(2, 3)] }]
  expect(decisionsOf(partly, some).get(1)).toBe('kept')
  expect([...marksOf(partly, new Map(), new Set())]).toEqual([[1, 'partly undone']])
  expect(decisionsOf(partly, new Set([hunkKey(first)])).get(1)).toBe('kept')
})
