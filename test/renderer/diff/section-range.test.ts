/** The files that exist in the scroll of all files. */
import { expect, test } from 'vitest'
import { withAlways } from '../../../src/renderer/features/diff/all-files/section-range.ts'

test('[UI-21] the current file exists once, also when it has the focus and is out of view', () => {
  expect(withAlways([4, 5, 6], [1, 1], 10)).toEqual([1, 4, 5, 6])
  expect(withAlways([4, 5, 6], [5, 9], 10)).toEqual([4, 5, 6, 9])
})

test('no file outside of the list exists', () => {
  expect(withAlways([0, 1], [-1, 2], 2)).toEqual([0, 1])
  expect(withAlways([], [-1, -1], 0)).toEqual([])
})
