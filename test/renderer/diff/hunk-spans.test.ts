import { expect, test } from 'vitest'
import { onEditorLines, spanAt, spanOfHunk } from '../../../src/renderer/features/diff/hunk-spans.ts'

const hunk = (n: number, newFrom: number, newTo: number) => ({
  n,
  oldFrom: 0,
  oldTo: 1,
  newFrom,
  newTo,
  blocks: [],
  undoneBy: null,
  undoneLines: []
})

test('a hunk spans its own lines; a deletion spans the line above it', () => {
  expect(spanOfHunk(hunk(1, 4, 6))).toEqual({ first: 5, last: 6 })
  expect(spanOfHunk(hunk(1, 4, 4))).toEqual({ first: 4, last: 4 })
  expect(spanOfHunk(hunk(1, 0, 0))).toEqual({ first: 1, last: 1 })
})

test('a line belongs to the last hunk above it; a line above all hunks belongs to the first', () => {
  const spans = [hunk(1, 4, 6), hunk(2, 20, 20)].map(spanOfHunk)
  expect([1, 5, 6, 19, 20, 99].map((line) => spanAt(spans, line))).toEqual([0, 0, 0, 0, 1, 1])
  expect(spanAt([], 3)).toBe(-1)
})

test('a text with lone carriage returns gets no bars, because engine and editor number its lines differently', () => {
  const hunks = [hunk(1, 0, 1)]
  expect(onEditorLines(hunks, 'a\r\nb\n', 'a\n')).toBe(hunks)
  expect(onEditorLines(hunks, 'a\rb\n', 'a\n')).toEqual([])
})
