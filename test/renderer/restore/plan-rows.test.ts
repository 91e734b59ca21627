/** The restore dialog: rows, counts and words. */
import { describe, expect, test } from 'vitest'
import type { ConversationPlan } from '../../../src/contract/conversation.ts'
import type { GitItemOutcome } from '../../../src/contract/git.ts'
import type { RestoreResult } from '../../../src/contract/restore.ts'
import { conflictText, countPaths, withOtherNames } from '../../../src/contract/words/plan.ts'
import {
  confirmLabel,
  confirmVerb,
  dialogIntro,
  dialogTitle,
  liveRunText,
  resultText
} from '../../../src/contract/words/restores.ts'
import { clockWithDay } from '../../../src/contract/words/times.ts'
import {
  changesNothing,
  inRowOrder,
  offeredResolutions,
  type PlanRow,
  partsOf,
  planRows,
  rowSentence,
  tallyOf,
  tallyParts
} from '../../../src/renderer/features/restore/plan-rows.ts'
import { base, conflict, item, plan, version } from './example-plans.ts'

const names = (rows: readonly PlanRow[]): readonly string[] =>
  rows.map((row) => (row.kind === 'section' ? row.title : row.kind === 'folder' ? `${row.label}/` : row.id))

describe('the list', () => {
  test('decisions come first, then files that cannot be restored, then changes', () => {
    const rows = planRows(partsOf(base, {}), new Set())
    expect(names(rows)).toEqual([
      '1 needs a decision',
      'mine.ts',
      '1 cannot be restored',
      'big.csv',
      '2 will change',
      'a.ts',
      'b.ts'
    ])
  })
  test('a deselected file stays listed, not selected', () => {
    const parts = partsOf(base, { 'a.ts': 'keep' })
    expect(parts.changes.map((row) => [row.id, row.ticked])).toEqual([
      ['a.ts', false],
      ['b.ts', true]
    ])
    expect(planRows(parts, new Set()).find((row) => row.kind === 'section' && row.section === 'change')).toMatchObject({
      ticked: 'some'
    })
  })
  test('a filter hides files and never changes what the heads count', () => {
    const rows = planRows(partsOf(base, {}), new Set(), 'A .TS')
    expect(names(rows)).toEqual(['1 needs a decision', '1 cannot be restored', '2 will change', 'a.ts'])
  })
  test('a folded section shows only its head', () => {
    expect(planRows(partsOf(base, {}), new Set(['/change/'])).at(-1)).toMatchObject({ kind: 'section', open: false })
  })
  test('[UI-26] files are in the tree and the order of the files pane', () => {
    const paths = ['z.ts', 'src/client-10.ts', 'src/client-2.ts', 'src/deep/only/a.ts', 'README.md']
    const listed = inRowOrder(plan(paths.map((path) => item(path, 'write'))))
    expect(names(planRows(partsOf(listed, {}), new Set())).slice(1)).toEqual([
      'src/',
      'deep/only/',
      'src/deep/only/a.ts',
      'src/client-2.ts',
      'src/client-10.ts',
      'README.md',
      'z.ts'
    ])
    const closed = planRows(partsOf(listed, {}), new Set(['/change/src/']))
    expect(names(closed)).toEqual(['5 will change', 'src/', 'README.md', 'z.ts'])
    expect(closed.map(({ level, posInSet, setSize }) => [level, posInSet, setSize])).toEqual([
      [1, 1, 1],
      [2, 1, 3],
      [2, 2, 3],
      [2, 3, 3]
    ])
  })
  test('[UI-26] a folder is one row: with what happens to it, and a checkbox for all of its files', () => {
    const items = [item('new', 'rmdir'), item('new/a.ts', 'delete'), item('new/b.ts', 'delete'), item('empty', 'mkdir')]
    const listed = inRowOrder(plan(items))
    const folder = (keep: readonly string[]) =>
      planRows(partsOf(listed, Object.fromEntries(keep.map((path) => [path, 'keep']))), new Set())[1]
    expect(names(planRows(partsOf(listed, {}), new Set()))).toEqual([
      '2 files and 2 folders will change',
      'new/',
      'new/a.ts',
      'new/b.ts',
      'empty'
    ])
    const row = folder([])
    expect(row).toMatchObject({ kind: 'folder', ticked: 'all', own: { id: 'new' } })
    expect(row && rowSentence(row)).toBe('new, 2 files, remove folder.')
    expect(folder(['new/a.ts'])).toMatchObject({ ticked: 'some' })
    const none = folder(['new', 'new/a.ts', 'new/b.ts'])
    expect(none && rowSentence(none)).toBe('new, 2 files, remove folder, not selected.')
  })
  test('[RS-11] merge is offered only if it is clean', () => {
    expect(offeredResolutions(conflict('x', { choices: ['keep', 'merge', 'replace'] }))).toEqual(['keep', 'replace'])
    expect(offeredResolutions(conflict('x', { mergeable: true }))).toEqual(['keep', 'merge', 'replace'])
  })
  test('a conflict shows the time of the newest edit', () => {
    const at = new Date(2026, 10, 20, 14, 31).getTime()
    const by = [
      { who: 'run_1', title: 'add tax', at: at - 60_000 },
      { who: 'outside', title: '', at }
    ]
    expect(conflictText(conflict('x', { by }), at)).toBe('14:31 · changed outside after this point')
  })
  test('[RS-9] a file that cannot be restored is listed with its reason', () => {
    const row = partsOf(base, {}).cannot[0]
    expect(row && rowSentence(row)).toBe('big.csv, cannot be restored: was not stored: over the size limit. Unchanged.')
  })
})

describe('counts', () => {
  test('the counts follow every resolution', () => {
    const counts = (choices: Parameters<typeof partsOf>[1]) =>
      tallyParts(tallyOf(partsOf(base, choices)))
        .map(({ text }) => text)
        .join(' · ')
    expect(counts({})).toBe('Restores 2 files · merges 1 · cannot restore 1')
    expect(counts({ 'mine.ts': 'keep' })).toBe('Restores 2 files · keeps 1 · cannot restore 1')
    expect(counts({ 'mine.ts': 'merge' })).toBe('Restores 2 files · merges 1 · cannot restore 1')
    expect(counts({ 'mine.ts': 'replace', 'a.ts': 'keep' })).toBe('Restores 2 files · keeps 1 · cannot restore 1')
    expect(counts({ 'mine.ts': 'merge', 'a.ts': 'keep', 'b.ts': 'keep' })).toBe(
      'Merges 1 file · keeps 2 · cannot restore 1'
    )
  })
  test('[GT-7] items of git are counted beside the files, or alone', () => {
    const counts = (choices: Parameters<typeof partsOf>[1]) =>
      tallyParts(tallyOf(partsOf(base, choices)), 2).map(({ text }) => text)
    expect(counts({})[0]).toBe('Restores 2 files and 2 git items')
    expect(counts({ 'mine.ts': 'keep', 'a.ts': 'keep', 'b.ts': 'keep' })[0]).toMatch(
      /^Restores (?:1 file and )?2 git items$/
    )
    const none = tallyOf({ decisions: [], cannot: [], changes: [] })
    expect(tallyParts(none, 1)).toEqual([{ text: 'Restores 1 git item', stays: false }])
  })
  test('[UI-6] [RS-20] a file that moves is one, and its two names are selected together', () => {
    const absent = version('', { kind: 'absent' })
    const moved = [
      { ...item('b.ts', 'delete', { code: 'moved-to', path: 'a.ts' }), after: absent },
      { ...item('a.ts', 'create', { code: 'moved-back', path: 'b.ts' }), before: absent }
    ]
    const tally = (choices: Parameters<typeof partsOf>[1]) => tallyOf(partsOf(plan(moved), choices))
    expect(tally({})).toMatchObject({ restores: 1, keeps: 0 })
    const both = withOtherNames(moved, ['b.ts'])
    expect(both).toEqual(['b.ts', 'a.ts'])
    expect(tally(Object.fromEntries(both.map((path) => [path, 'keep'])))).toMatchObject({ restores: 0, keeps: 1 })
    const kept = [item('b.ts', 'keep'), item('a.ts', 'keep', { code: 'moved-away', path: 'b.ts' })]
    const parts = partsOf(plan(kept, [conflict('b.ts')]), {})
    expect([parts.decisions.length, parts.cannot, countPaths(kept).files]).toEqual([1, [], 1])
  })
  test('the button repeats verb and count', () => {
    expect(confirmLabel({ kind: 'restore', target: 't' }, { files: 9, folders: 2 })).toBe('Restore 9 files')
    expect(confirmLabel({ kind: 'undo-run', run: 'r' }, { files: 1, folders: 0 })).toBe('Undo 1 file')
    expect(confirmLabel({ kind: 'drift', drift: 'd' }, { files: 1204, folders: 0 })).toBe('Undo 1,204 files')
    expect(confirmVerb({ kind: 'undo' })).toBe('Undo')
  })
  test('a plan is empty where neither files nor git nor the conversation differ', () => {
    const conversation = { supersedes: 0, bringsBack: 0 } as ConversationPlan
    const nothing = { ...base, items: [], git: [] }
    expect(changesNothing(base)).toBe(false)
    expect(changesNothing(nothing)).toBe(true)
    expect(changesNothing({ ...nothing, mode: 'both', conversation })).toBe(true)
    // Files may differ, which another mode restores.
    expect(changesNothing({ ...nothing, mode: 'conversation', conversation })).toBe(false)
    expect(changesNothing({ ...nothing, mode: 'files', conversation: { ...conversation, supersedes: 2 } })).toBe(false)
  })
  test('the intro says that the current versions are saved', () => {
    for (const request of [
      { kind: 'restore', target: 't' },
      { kind: 'undo-run', run: 'r' },
      { kind: 'undo' },
      { kind: 'redo' }
    ] as const) {
      expect(dialogIntro(request, base, { files: 2, folders: 0 })).toContain(
        'A copy is saved first, so you can undo this.'
      )
    }
    expect(dialogIntro({ kind: 'restore', target: 't' }, base, { files: 0, folders: 0 })).toContain('No files change')
  })
  test('the title uses curly quotes and names a single file', () => {
    expect(dialogTitle({ kind: 'restore', target: 't' }, base)).toBe('Restore to start of “add tax”')
    expect(dialogTitle({ kind: 'restore', target: 't', paths: ['a.ts'] }, base)).toBe(
      'Restore a.ts to start of “add tax”'
    )
  })
  test('times are clock times, with the day unless it is today', () => {
    const at = new Date(2026, 10, 20, 14, 2).getTime()
    expect(clockWithDay(at, at + 60_000)).toBe('14:02')
    expect(clockWithDay(at, at + 48 * 3_600_000)).toBe('20 Nov, 14:02')
  })
})

describe('results', () => {
  const result = (state: RestoreResult['state'], more: Partial<RestoreResult> = {}): RestoreResult => ({
    restore: 'r',
    state,
    guard: 'g',
    items: [
      { ...item('a.ts', 'write'), result: 'done' },
      { ...item('b.ts', 'write'), result: 'failed', reason: { code: 'in-use' } },
      { ...item('c.ts', 'keep'), result: 'kept' }
    ],
    conflicts: [],
    warnings: [],
    refusal: '',
    conversation: null,
    git: [],
    ...more
  })
  test('partial says how many files were restored, which one failed and why, and that the versions are saved', () => {
    const text = resultText(result('partial'))
    expect(text.title).toBe('1 of 2 restored. b.ts: it is open in another program.')
    expect(text.safe).toContain('saved')
  })
  test('[GT-7] a result counts the items of git beside the files, or alone', () => {
    const ofGit = (each: 'done' | 'failed'): GitItemOutcome => ({
      item: 'heads/a',
      kind: 'branch',
      name: 'a',
      from: '',
      to: '1',
      lost: true,
      chosen: true,
      result: each
    })
    expect(resultText(result('partial', { git: [ofGit('done')] })).title).toMatch(/^1 of 2 files and 1 of 1 git item/)
    expect(resultText(result('done', { git: [ofGit('done')] })).title).toBe('Restored 1 file and 1 git item.')
    expect(resultText(result('done', { items: [], git: [ofGit('done')] })).title).toBe('Restored 1 git item.')
    expect(resultText(result('failed', { items: [], git: [ofGit('failed')] })).title).toMatch(/any git item\./)
  })
  test('refused says that nothing was written, and why', () => {
    expect(resultText(result('refused', { refusal: 'The disk is full.' })).title).toBe(
      'Nothing was written. The disk is full.'
    )
  })
  test('every result says what is safe', () => {
    for (const state of ['done', 'partial', 'failed', 'refused', 'nothing-to-do', 'interrupted'] as const) {
      expect(resultText(result(state)).safe).toMatch(/saved|written|unchanged/)
    }
  })
  test('live runs are named by their agents', () => {
    const live = (...agents: string[]) => liveRunText(agents.map((agent) => ({ run: 'r', title: 't', agent })))
    expect(live('codex', 'codex')).toBe('Codex is working here. It may overwrite what you restore.')
    expect(live('codex', 'claude-code')).toBe(
      'Codex and Claude Code are working here. They may overwrite what you restore.'
    )
  })
})
