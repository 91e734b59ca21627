import { expect, test } from 'vitest'
import { plural } from '../../../src/contract/words/numbers.ts'

test('numbers have their noun and thousands separators', () => {
  expect([plural(0, 'file'), plural(1, 'file'), plural(43800, 'file'), plural(2, 'entry', 'entries')]).toEqual([
    '0 files',
    '1 file',
    '43,800 files',
    '2 entries'
  ])
})
