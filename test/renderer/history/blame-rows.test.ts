import { expect, test } from 'vitest'
import { blameRows, blockAt, blockLabel } from '../../../src/renderer/features/history/blame-rows.ts'
import { NOON } from '../model/make.ts'

test('adjacent lines of one author form a block, which counts the other lines of that author', () => {
  const line = (n: number, seq: number) =>
    ({ n, seq, run: null, prompt: null, origin: 'outside', at: NOON, text: `${n}` }) as const
  const rows = blameRows([line(1, 4), line(2, 4), line(3, 7), line(4, 4)], NOON)
  expect(rows.map((row) => row.first)).toEqual([true, false, true, true])
  expect([0, 1, 2, 3].map((index) => blockLabel(blockAt(rows, index)))).toEqual([
    'lines 1 \u2013 2 and 1 more',
    'lines 1 \u2013 2 and 1 more',
    'line 3',
    'line 4 and 2 more'
  ])
})
