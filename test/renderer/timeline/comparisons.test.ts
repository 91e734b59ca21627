import { expect, test } from 'vitest'
import { comparisonsOf } from '../../../src/renderer/features/timeline/comparisons.ts'
import { compareOf, pairOf } from '../../../src/renderer/features/timeline/node.ts'
import type { NodeRow } from '../../../src/renderer/features/timeline/rows.ts'
import { drift, run } from './make.ts'

const entry = (one: ReturnType<typeof run> | ReturnType<typeof drift>): NodeRow => ({
  kind: 'entry',
  key: one.id,
  entry: one,
  open: false
})
const asked = (node: NodeRow) => comparisonsOf(node, null).map(({ label, question }) => [label, question])

test('a run is compared with itself first, then its end and its start with the disk', () => {
  expect(asked(entry(run('run_1', 3)))).toEqual([
    ['start → end of run', { target: 'run_1', scope: 'run' }],
    ['end of run → on disk now', { target: 'run_1:end', to: 'now' }],
    ['start of run → on disk now', { target: 'run_1:start', to: 'now' }]
  ])
})

test('a live run has no end to compare with', () => {
  expect(comparisonsOf(entry(run('run_1', 3, { state: 'live' })), null).map(({ id }) => id)).toEqual([
    'own',
    'start-now'
  ])
})

test('an open outside change already is compared with the disk', () => {
  expect(asked(entry(drift('dr_1', 3)))).toEqual([
    ['before → on disk now', { target: 'dr_1', to: 'now', paths: ['a.ts'] }]
  ])
})

test('a turn whose details are on their way has nothing to compare yet', () => {
  expect(
    comparisonsOf({ kind: 'turn', key: 't', run: run('run_1', 3), turn: null, calls: 0, open: false }, null)
  ).toEqual([])
})

test('two rows are compared from the older to the newer one, whichever was chosen first, unless turned round', () => {
  const rows = [entry(run('run_2', 5)), entry(run('run_1', 3))] as const
  for (const [a, b] of [rows, [rows[1], rows[0]] as const]) {
    expect(compareOf(pairOf(a, b, false, rows), rows)).toEqual({ target: 'run_1:end', to: 'run_2:end' })
    expect(compareOf(pairOf(a, b, true, rows), rows)).toEqual({ target: 'run_2:end', to: 'run_1:end' })
  }
})
