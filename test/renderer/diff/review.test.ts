import { expect, test } from 'vitest'
import type { FileChange } from '../../../src/contract/diff.ts'
import { decisionsOf, hunkKey, nextUndecided } from '../../../src/renderer/features/diff/review.ts'
import { nextToReview } from '../../../src/renderer/model/file-order.ts'

const hunk = (n: number, undoneBy: string | null = null) => ({
  n,
  oldFrom: n * 10,
  oldTo: n * 10 + 1,
  newFrom: n * 10,
  newTo: n * 10 + 2,
  blocks: [{ oldFrom: n * 10, oldTo: n * 10 + 1, newFrom: n * 10, newTo: n * 10 + 2 }],
  undoneBy,
  undoneLines: []
})

test('an undo on disk takes precedence over a kept hunk', () => {
  const hunks = [hunk(1), hunk(2, 'rst_1'), hunk(3)]
  const kept = new Set(hunks.slice(1).map(hunkKey))
  expect([...decisionsOf(hunks, kept)]).toEqual([
    [2, 'undone'],
    [3, 'kept']
  ])
})

test('a hunk that moved has to be reviewed again', () => {
  const kept = new Set([hunkKey(hunk(1))])
  expect(decisionsOf([{ ...hunk(1), newFrom: 11, newTo: 13 }], kept).size).toBe(0)
})

test('the next undecided hunk is below, then from the top; none once all are decided', () => {
  const hunks = [hunk(1), hunk(2), hunk(3)]
  expect(nextUndecided(hunks, new Map([[2, 'kept']]), 2)?.n).toBe(3)
  expect(nextUndecided(hunks, new Map([[3, 'kept']]), 3)?.n).toBe(1)
  expect(nextUndecided(hunks, new Map([1, 2, 3].map((n) => [n, 'kept'] as const)), 3)).toBeNull()
})

test('the next file is the next unreviewed one in review order, wrapping around', () => {
  const files = ['a/1.ts', 'a/2.ts', 'a/3.ts'].map((path) => ({ path }) as FileChange)
  expect(nextToReview(files, 'a/1.ts', new Set(['a/2.ts']))).toBe('a/3.ts')
  expect(nextToReview(files, 'a/3.ts', new Set(['a/1.ts', 'a/3.ts']))).toBe('a/2.ts')
  expect(nextToReview(files, 'a/2.ts', new Set(['a/1.ts', 'a/3.ts']))).toBeNull()
})
