import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reviewOf, type StoredReviews } from '../../../src/renderer/state/reviews.ts'

beforeEach(() => vi.stubGlobal('localStorage', { setItem: () => {} }))
afterEach(() => vi.unstubAllGlobals())

test('a file that was undone counts as reviewed until its undo is undone; one that was kept counts on', () => {
  let all: StoredReviews = []
  const review = (undone: readonly string[]) => {
    const files = ['a.ts', 'b.ts'].map((path) => (undone.includes(path) ? { path, undoneBy: 'rs_1' } : { path }))
    return reviewOf(
      all.find(([key]) => key === 'run_1'),
      'run_1',
      files,
      (change) => {
        all = change(all)
      }
    )
  }
  review([]).setUndone('a.ts')
  review([]).setReviewed(['b.ts'], true)
  expect(review(['a.ts']).reviewed).toEqual(new Set(['a.ts', 'b.ts']))
  expect(review([]).reviewed).toEqual(new Set(['b.ts']))
  review([]).startOver()
  expect(review(['a.ts']).reviewed).toEqual(new Set())
})

test('a file that was undone in part and kept else counts as reviewed until that undo is undone', () => {
  let all: StoredReviews = []
  const review = (partlyUndoneBy?: string) =>
    reviewOf(
      all[0],
      'run_1',
      [{ path: 'a.ts', ...(partlyUndoneBy === undefined ? {} : { partlyUndoneBy }) }],
      (change) => {
        all = change(all)
      }
    )
  review('rs_2').setDecided('a.ts', 'rs_2')
  expect(review('rs_2').reviewed).toEqual(new Set(['a.ts']))
  for (const before of ['rs_1', undefined]) expect(review(before).reviewed).toEqual(new Set())
  review('rs_2').setReviewed(['a.ts'], false)
  expect(review('rs_2').reviewed).toEqual(new Set())
})
