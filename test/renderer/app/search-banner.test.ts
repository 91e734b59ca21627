import { expect, test } from 'vitest'
import type { BisectResult, BisectSearch } from '../../../src/contract/bisect.ts'
import { searchBanner } from '../../../src/renderer/features/banners/search-banner.ts'

const result: BisectResult = {
  state: 'found',
  culprit: {
    seq: 51,
    from: 51,
    run: 'run_1',
    turn: 'turn_1',
    toolCall: { id: 'call_1', name: 'Edit', summary: '' },
    prompt: 'add tax',
    origin: 'agent',
    agent: 'claude-code',
    drift: null,
    restore: null,
    paths: ['src/tax.ts'],
    hunks: [{ path: 'src/tax.ts', n: 2 }],
    at: 0
  },
  probes: [{ seq: 51, result: 'bad', ms: 900 }],
  skipped: [],
  confidence: 0.991,
  good: 50,
  bad: 51,
  method: 'overlay',
  output: 'expected 3'
}
const search: BisectSearch = {
  command: 'npm test',
  good: null,
  bad: null,
  startedAt: 0,
  state: 'running',
  progress: { phase: 'search', done: 7, total: 9, leftMs: 6000, good: 10, bad: 20, probe: null },
  probes: [],
  result: null,
  problem: null
}

test('a search that runs says how far it is, and can be cancelled', () => {
  expect(searchBanner(search)).toMatchObject({
    lead: 'Searching: 7 of 9, about 6 s left',
    detail: 'npm test',
    actions: [{ label: 'Cancel' }]
  })
})

test('[BI-8] the answer undoes the cause alone, reports it to its agent, and pins the position before it', () => {
  const { lead, actions = [] } = searchBanner({ ...search, state: 'done', result })
  expect(lead).toBe('A change of src/tax.ts by Edit broke it, in “add tax”.')
  expect(actions.map(({ action }) => action)).toMatchObject([
    {
      do: 'preview',
      request: { kind: 'undo-run', run: 'run_1', edits: { from: 51, to: 51 }, hunks: { 'src/tax.ts': [2] } }
    },
    { do: 'review', entry: 'run_1' },
    { do: 'tell-agent', run: 'run_1', path: 'src/tax.ts', text: expect.stringContaining('expected 3') },
    { do: 'pin-position', target: 'seq:50' },
    { do: 'dismiss-search' }
  ])
})

test('an outside change is undone as one, and goes to no agent', () => {
  const culprit = {
    ...result.culprit!,
    run: null,
    agent: null,
    prompt: null,
    toolCall: null,
    drift: 'dr_1',
    origin: 'outside' as const
  }
  const { lead, actions = [] } = searchBanner({ ...search, state: 'done', result: { ...result, culprit } })
  expect(lead).toBe('A change of src/tax.ts outside of any run broke it.')
  expect(actions.map(({ label }) => label)).toEqual(['Undo this change…', 'Show', 'Pin last good', 'Close'])
})

test('without an answer it says why, and that nothing was changed', () => {
  expect(
    searchBanner({ ...search, state: 'done', result: { ...result, state: 'never-failed', culprit: null } }).lead
  ).toContain('passes')
  expect(searchBanner({ ...search, state: 'cancelled' }).rest).toContain('Nothing was changed')
  expect(searchBanner({ ...search, state: 'failed', problem: 'No space.' }).rest).toContain('No space.')
})
