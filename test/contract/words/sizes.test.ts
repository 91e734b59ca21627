/** Sizes are short and in decimal units. */
import { expect, test } from 'vitest'
import { formatBytes } from '../../../src/contract/words/sizes.ts'

test('a size has one decimal below ten units and none above, and never a thousand of one', () => {
  const sizes = [0, 12, 999, 1500, 9_940, 9_960, 999_600, 12_300_000, 2_000_000_000, 2_100_000_000]
  expect(sizes.map(formatBytes)).toEqual([
    '0 B',
    '12 B',
    '999 B',
    '1.5 kB',
    '9.9 kB',
    '10 kB',
    '1 MB',
    '12 MB',
    '2 GB',
    '2.1 GB'
  ])
})
