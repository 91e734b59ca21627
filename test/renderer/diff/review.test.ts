import { expect, test } from 'vitest'
import type { FileChange } from '../../../src/contract/diff.ts'
import { changeKey, marksOf, nextOpen } from '../../../src/renderer/features/diff/review.ts'
import { nextToReview } from '../../../src/renderer/features/files/file-order.ts'

const hunk = (n: number, takenBack: string | null = null) => ({
  n,
  oldFrom: n * 10,
  oldTo: n * 10 + 1,
  newFrom: n * 10,
  newTo: n * 10 + 2,
  takenBack
})

test('what is on disk decides before what a person ticked', () => {
  const hunks = [hunk(1), hunk(2, 'rst_1'), hunk(3)]
  const kept = new Set(hunks.slice(1).map(changeKey))
  expect([...marksOf(hunks, kept)]).toEqual([
    [2, 'taken-back'],
    [3, 'kept']
  ])
})

test('a change that moved is to be read again', () => {
  const kept = new Set([changeKey(hunk(1))])
  expect(marksOf([{ ...hunk(1), newFrom: 11, newTo: 13 }], kept).size).toBe(0)
})

test('reading goes down to the next open change, then round to the first; at the end there is none', () => {
  const hunks = [hunk(1), hunk(2), hunk(3)]
  expect(nextOpen(hunks, new Map([[2, 'kept']]), 2)?.n).toBe(3)
  expect(nextOpen(hunks, new Map([[3, 'kept']]), 3)?.n).toBe(1)
  expect(nextOpen(hunks, new Map([1, 2, 3].map((n) => [n, 'kept'] as const)), 3)).toBeNull()
})

test('the next file is the next one that nobody looked at, in the order of the list, round from its end', () => {
  const files = ['a/1.ts', 'a/2.ts', 'a/3.ts'].map((path) => ({ path }) as FileChange)
  expect(nextToReview(files, 'a/1.ts', new Set(['a/2.ts']))).toBe('a/3.ts')
  expect(nextToReview(files, 'a/3.ts', new Set(['a/1.ts', 'a/3.ts']))).toBe('a/2.ts')
  expect(nextToReview(files, 'a/2.ts', new Set(['a/1.ts', 'a/3.ts']))).toBeNull()
})
