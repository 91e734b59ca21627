import { expect, test } from 'vitest'
import type { BisectProgress, BisectSearch } from '../../../src/contract/bisect.ts'
import { searchMark } from '../../../src/renderer/model/searched-rows.ts'

const progress: BisectProgress = { phase: 'search', done: 3, total: 9, leftMs: 6000, good: 10, bad: 20, probe: null }
const search: BisectSearch = {
  command: 'npm test',
  good: null,
  bad: null,
  startedAt: 0,
  state: 'running',
  progress,
  probes: [
    { seq: 40, result: 'bad', ms: 1 },
    { seq: 2, result: 'good', ms: 1 }
  ],
  result: null,
  problem: null
}

test('entries of a search are marked by what is known of their positions', () => {
  const marks = [1, 2, 10, 15, 20, 40, 41].map((seq) => searchMark(search, { id: `run_${seq}`, seq }))
  expect(marks).toEqual([null, 'good', 'good', 'open', 'bad', 'bad', null])
})

test('nothing is marked before the first probe, and after a search that was cancelled', () => {
  expect(searchMark(null, { id: 'run_1', seq: 10 })).toBeNull()
  expect(searchMark({ ...search, progress: null }, { id: 'run_1', seq: 10 })).toBeNull()
  expect(searchMark({ ...search, state: 'cancelled' }, { id: 'run_1', seq: 10 })).toBeNull()
})
