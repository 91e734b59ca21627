import { expect, test } from 'vitest'
import { comparisonsFor } from '../../../src/renderer/model/comparisons.ts'
import { compareQueryOf, extendedTo, orderPair } from '../../../src/renderer/model/row-targets.ts'
import { isSelectable, type SelectableRow, timelineRows } from '../../../src/renderer/model/timeline-rows.ts'
import { drift, NOON, run } from './make.ts'

const rowOf = (entry: ReturnType<typeof run> | ReturnType<typeof drift>): SelectableRow => ({
  kind: 'entry',
  key: entry.id,
  entry,
  open: false
})
const offered = (node: SelectableRow) => comparisonsFor(node, null).map(({ label, query }) => [label, query])

test('a run offers its own diff first, then its end and its start against the disk', () => {
  expect(offered(rowOf(run('run_1', 3)))).toEqual([
    ['start → end of run', { target: 'run_1', scope: 'run' }],
    ['end of run → on disk now', { target: 'run_1:end', to: 'now' }],
    ['start of run → on disk now', { target: 'run_1:start', to: 'now' }]
  ])
})

test('a live run has no end to compare with', () => {
  expect(comparisonsFor(rowOf(run('run_1', 3, { state: 'live' })), null).map(({ id }) => id)).toEqual([
    'own',
    'start-now'
  ])
})

test('an open outside change is compared with the disk only', () => {
  expect(offered(rowOf(drift('dr_1', 3)))).toEqual([
    ['before → on disk now', { target: 'dr_1', to: 'now', paths: ['a.ts'] }]
  ])
})

test('a turn whose details are loading offers no comparison', () => {
  expect(
    comparisonsFor({ kind: 'turn', key: 't', run: run('run_1', 3), turn: null, calls: 0, open: false }, null)
  ).toEqual([])
})

test('two rows are compared from older to newer, whichever was selected first, unless swapped', () => {
  const rows = [rowOf(run('run_2', 5)), rowOf(run('run_1', 3))] as const
  for (const [a, b] of [rows, [rows[1], rows[0]] as const]) {
    expect(compareQueryOf(orderPair(a, b, false, rows), rows)).toEqual({ target: 'run_1:end', to: 'run_2:end' })
    expect(compareQueryOf(orderPair(a, b, true, rows), rows)).toEqual({ target: 'run_2:end', to: 'run_1:end' })
  }
})

test('Shift with an arrow passes over rows at the position of the selected one', () => {
  const turn = (id: string, startSeq: number) => ({
    ...{ id, startSeq, prompt: id, at: NOON, endedAt: NOON, files: 1, session: null, message: null }
  })
  const entries = [run('run_2', 5, { turns: 2 }), run('run_1', 3)]
  const rows = timelineRows(entries, { run: 'run_2', turns: [turn('t1', 5), turn('t2', 6)] }, NOON)
  const keyAfter = (from: string, delta: 1 | -1) => {
    const at = rows.findIndex(({ key }) => key === from)
    const node = rows[at]
    return isSelectable(node) ? rows[extendedTo(node, rows, at, at + delta)]?.key : undefined
  }
  const [newest, older] = rows.filter(({ kind }) => kind === 'turn')
  expect(newest).toMatchObject({ turn: { id: 't2' } })
  expect(keyAfter('run_2', 1)).toBe(older?.key)
  expect(keyAfter(older?.key ?? '', -1)).toBe(newest?.key)
  expect(keyAfter(newest?.key ?? '', 1)).toBe(older?.key)
})
