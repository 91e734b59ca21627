/** Promises of the restore dialog: what is listed, what is counted, and what is sent is what a person saw. */
import { describe, expect, test } from 'vitest'
import type { FileVersion } from '../../../src/contract/log.ts'
import type { Conflict, PlanItem, RestorePlan, RestoreResult } from '../../../src/contract/restore.ts'
import { changedBetween } from '../../../src/renderer/features/restore/changed-between.ts'
import {
  offeredChoices,
  partsOf,
  planRows,
  rowSentence,
  tallyOf,
  tallyWords
} from '../../../src/renderer/features/restore/plan-rows.ts'
import {
  buttonWords,
  clock,
  endingWords,
  introWords,
  liveWords,
  reasonWords,
  titleWords,
  verbOf
} from '../../../src/renderer/features/restore/restore-words.ts'
import { movedOn, spelledOut, stillOffered } from '../../../src/renderer/features/restore/use-restore.ts'

const version = (hash: string, more: Partial<FileVersion> = {}): FileVersion => ({
  kind: 'file',
  size: 1,
  mode: 0o644,
  hash,
  target: null,
  notStored: null,
  ...more
})
const item = (path: string, action: PlanItem['action'], note = '', before = 'a'): PlanItem => ({
  path,
  action,
  note,
  before: version(before),
  after: version('b')
})
const conflict = (path: string, more: Partial<Conflict> = {}): Conflict => ({
  path,
  reason: 'changed outside at 14:31',
  by: [],
  choices: ['keep', 'replace'],
  choice: 'keep',
  mergeable: false,
  ...more
})
const plan = (items: PlanItem[], conflicts: Conflict[] = [], more: Partial<RestorePlan> = {}): RestorePlan => ({
  plan: 'p',
  act: 'restore',
  target: 'cp',
  title: 'start of "add tax"',
  targetAt: null,
  items,
  conflicts,
  warnings: [],
  unchanged: 0,
  live: [],
  mode: 'files',
  modes: [],
  conversation: null,
  ...more
})
const base = plan(
  [
    item('a.ts', 'write'),
    item('b.ts', 'delete'),
    item('mine.ts', 'keep'),
    item('big.csv', 'keep', 'not kept: over 50 MB')
  ],
  [conflict('mine.ts', { mergeable: true, choices: ['keep', 'merge', 'replace'] })]
)

describe('the list', () => {
  test('decisions come first, then what cannot go back, then what will change', () => {
    const rows = planRows(partsOf(base, {}), new Set())
    expect(rows.map((row) => (row.kind === 'section' ? row.title : row.id))).toEqual([
      '1 needs a decision',
      'mine.ts',
      '1 cannot go back',
      'big.csv',
      '2 will change',
      'a.ts',
      'b.ts'
    ])
  })
  test('a file that was unticked stays in its place, not ticked', () => {
    const parts = partsOf(base, { 'a.ts': 'keep' })
    expect(parts.changes.map((row) => [row.id, row.ticked])).toEqual([
      ['a.ts', false],
      ['b.ts', true]
    ])
    expect(planRows(parts, new Set()).find((row) => row.kind === 'section' && row.id === 'change')).toMatchObject({
      ticked: 'some'
    })
  })
  test('a closed section shows its head only', () => {
    expect(planRows(partsOf(base, {}), new Set(['change'])).at(-1)).toMatchObject({ kind: 'section', open: false })
  })
  test('[RS-11] merge is offered only where it is clean', () => {
    expect(offeredChoices(conflict('x', { choices: ['keep', 'merge', 'replace'] }))).toEqual(['keep', 'replace'])
    expect(offeredChoices(conflict('x', { mergeable: true }))).toEqual(['keep', 'merge', 'replace'])
  })
  test('a decision says when the file was changed last', () => {
    const at = new Date(2026, 10, 20, 14, 31).getTime()
    const by = [
      { who: 'run_1', title: 'add tax', at: at - 60_000 },
      { who: 'outside', title: '', at }
    ]
    expect(reasonWords(conflict('x', { reason: 'changed after this run', by }), at)).toBe(
      '14:31 · changed after this run'
    )
  })
  test('[RS-9] what cannot go back is named with its reason', () => {
    const row = partsOf(base, {}).cannot[0]
    expect(row && rowSentence(row)).toBe('big.csv, cannot go back: not kept: over 50 MB. It stays as it is.')
  })
})

describe('counts', () => {
  test('the counts follow every choice', () => {
    const words = (choices: Parameters<typeof partsOf>[1]) => tallyWords(tallyOf(partsOf(base, choices))).join(' · ')
    expect(words({})).toBe('Restores 2 · keeps 1 · cannot 1')
    expect(words({ 'mine.ts': 'merge' })).toBe('Restores 2 · merges 1 · cannot 1')
    expect(words({ 'mine.ts': 'replace', 'a.ts': 'keep' })).toBe('Restores 2 · keeps 1 · cannot 1')
  })
  test('the button repeats the act and the count', () => {
    expect(buttonWords({ kind: 'restore', target: 't' }, 9)).toBe('Restore 9 files')
    expect(buttonWords({ kind: 'undo-run', run: 'r' }, 1)).toBe('Undo 1 file')
    expect(buttonWords({ kind: 'drift', drift: 'd' }, 1204)).toBe('Put back 1,204 files')
    expect(verbOf({ kind: 'undo' })).toBe('Undo')
  })
  test('the intro says where the current bytes went', () => {
    for (const act of [
      { kind: 'restore', target: 't' },
      { kind: 'undo-run', run: 'r' },
      { kind: 'undo' },
      { kind: 'redo' }
    ] as const) {
      expect(introWords(act, base, 2)).toContain('is kept first, so this can be undone')
    }
    expect(introWords({ kind: 'restore', target: 't' }, base, 0)).toContain('No file would change')
  })
  test('the title uses curly quotes and names the file when it is one', () => {
    expect(titleWords({ kind: 'restore', target: 't' }, base)).toBe('Restore to start of “add tax”')
    expect(titleWords({ kind: 'restore', target: 't', paths: ['a.ts'] }, base)).toBe(
      'Restore a.ts to start of “add tax”'
    )
  })
  test('times are clock times, with the day when it is another one', () => {
    const at = new Date(2026, 10, 20, 14, 2).getTime()
    expect(clock(at, at + 60_000)).toBe('14:02')
    expect(clock(at, at + 48 * 3_600_000)).toBe('20 Nov, 14:02')
  })
})

describe('what is sent', () => {
  test('every decision is said in full, defaults included', () => {
    expect(spelledOut(partsOf(base, { 'a.ts': 'keep' }), { 'a.ts': 'keep' })).toEqual({
      'a.ts': 'keep',
      'mine.ts': 'keep'
    })
  })
  test('[RS-2] a path that is on disk otherwise than shown makes the preview stale', () => {
    const moved = plan([item('a.ts', 'write', '', 'z'), ...base.items.slice(1)], [...base.conflicts])
    expect(movedOn(base, moved)).toBe(true)
    expect(changedBetween(base, moved)).toBe(1)
  })
  test('choosing does not make it stale', () => {
    const chosen = plan([item('a.ts', 'keep', 'you chose to keep it'), ...base.items.slice(1)], [...base.conflicts])
    expect(movedOn(base, chosen)).toBe(false)
  })
  test('a new conflict makes it stale', () => {
    expect(movedOn(base, plan([...base.items], [...base.conflicts, conflict('a.ts')]))).toBe(true)
  })
  test('after a refresh a merge that is no longer clean is not kept as the choice', () => {
    const now = plan([...base.items], [conflict('mine.ts')])
    expect(stillOffered({ 'mine.ts': 'merge', 'gone.ts': 'keep', 'a.ts': 'keep' }, now)).toEqual({ 'a.ts': 'keep' })
  })
})

describe('endings', () => {
  const result = (state: RestoreResult['state'], more: Partial<RestoreResult> = {}): RestoreResult => ({
    restore: 'r',
    state,
    guard: 'g',
    items: [
      { ...item('a.ts', 'write'), result: 'done' },
      { ...item('b.ts', 'write'), result: 'failed', reason: 'it is open in another program' },
      { ...item('c.ts', 'keep'), result: 'kept' }
    ],
    conflicts: [],
    warnings: [],
    refusal: '',
    conversation: null,
    ...more
  })
  test('partial says how many, which one and why, and that everything is kept', () => {
    const words = endingWords(result('partial'))
    expect(words.title).toBe('1 of 2 restored. b.ts: it is open in another program.')
    expect(words.safe).toContain('kept')
  })
  test('refused says that nothing was written and why', () => {
    expect(endingWords(result('refused', { refusal: 'The disk is full.' })).title).toBe(
      'Nothing was written. The disk is full.'
    )
  })
  test('every ending has a sentence about safety', () => {
    for (const state of ['done', 'partial', 'failed', 'refused', 'nothing-to-do', 'interrupted'] as const) {
      expect(endingWords(result(state)).safe).toMatch(/kept|written|were/)
    }
  })
  test('a live run is named by its agent', () => {
    expect(liveWords([{ run: 'r', title: 't', agent: 'Codex' }])).toMatch(/^Codex is working here now/)
  })
})
