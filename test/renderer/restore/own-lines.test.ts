import { expect, test } from 'vitest'
import type { BlameLine } from '../../../src/contract/log.ts'
import type { Conflict } from '../../../src/contract/restore.ts'
import { conflictText } from '../../../src/contract/words/plan.ts'
import { confirmLabel, confirmVerb, dialogTitle } from '../../../src/contract/words/restores.ts'
import { clockWithDay } from '../../../src/contract/words/times.ts'
import { ownLines } from '../../../src/renderer/features/restore/use-preview.ts'

const at = new Date(2026, 10, 20, 14, 31).getTime()
const line = (n: number, more: Partial<BlameLine>): BlameLine => ({
  n,
  run: null,
  prompt: null,
  origin: 'baseline',
  seq: 0,
  at: null,
  text: '',
  ...more
})
const conflict: Conflict = {
  path: 'a.ts',
  cause: 'others-after-run',
  unstorable: null,
  by: [
    { who: 'outside', title: '', at },
    { who: 'run_2', title: 'Round half to even', at: at - 1 }
  ],
  choices: ['keep', 'merge', 'replace'],
  choice: 'keep',
  mergeable: true,
  deletes: false
}

test('others’ lines are those of the conflicting edits, without older ones, each with its writer', () => {
  const lines = [
    line(1, {}),
    line(2, { origin: 'outside', seq: 2, at: at - 99_000 }),
    line(3, { origin: 'agent', run: 'run_2', seq: 8, at: at - 1 }),
    line(4, { origin: 'outside', seq: 9, at })
  ]
  expect(ownLines(lines, conflict)).toEqual([
    { line: 3, tag: `“Round half to even”, ${clockWithDay(at - 1)}`, yours: false },
    { line: 4, tag: `yours, ${clockWithDay(at)}`, yours: true }
  ])
  const [outside, run] = conflict.by
  const long = { ...conflict, by: [outside, { ...run, title: 'shorter please, and unknown countries must throw' }] }
  const tag = ownLines(lines, long as Conflict)[0]?.tag
  expect(tag).toBe(`“shorter please, and unknown…”, ${clockWithDay(at - 1)}`)
})

test('a conflict names the later writers: a run by its title', () => {
  expect(conflictText(conflict, at)).toBe('14:31 · changed by “Round half to even” and outside after this run')
  const outside = { ...conflict, by: conflict.by.slice(0, 1) }
  expect(conflictText(outside, at)).toBe('14:31 · changed outside after this run')
})

test('the dialog for one change names the change', () => {
  const request = { kind: 'undo-run', run: 'run_1', hunks: { 'src/a.ts': [2] } } as const
  expect(dialogTitle(request, null)).toBe('Undo change 2 of … in src/a.ts')
  expect([confirmLabel(request, { files: 1, folders: 0 }), confirmVerb(request)]).toEqual(['Undo 1 change', 'Undo'])
})
