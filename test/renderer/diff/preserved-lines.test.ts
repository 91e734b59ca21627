import { expect, test } from 'vitest'
import { isContinued, lineAfter } from '../../../src/renderer/features/diff/preserved-lines.ts'

const change = (from: number, to: number, newFrom: number, newTo: number) => ({
  originalStartLineNumber: from,
  originalEndLineNumber: to,
  modifiedStartLineNumber: newFrom,
  modifiedEndLineNumber: newTo
})

test('a line moves by the lines added and removed above it; a line within a change has no counterpart', () => {
  // Lines 3 and 4 become one line, two lines are added after line 10, line 20 is removed.
  const changes = [change(3, 4, 3, 3), change(10, 0, 10, 11), change(20, 20, 20, 0)]
  expect([1, 3, 4, 5, 10, 11, 20, 21].map((line) => lineAfter(line, changes))).toEqual([
    1,
    null,
    null,
    4,
    9,
    12,
    null,
    21
  ])
})

test('only the first line of a block by one author names the author', () => {
  const lines = [4, 5, 6, 9, 10].map((at) => ({ at, tag: at === 10 ? 'you, 8:41' : 'Codex, 8:39' }))
  expect(lines.map((line, i) => isContinued(lines[i - 1], line))).toEqual([false, true, true, false, false])
})
