import { expect, test } from 'vitest'
import type { BlameLine } from '../../../src/contract/log.ts'
import type { Conflict } from '../../../src/contract/restore.ts'
import {
  buttonWords,
  clock,
  reasonWords,
  titleWords,
  verbOf
} from '../../../src/renderer/features/restore/restore-words.ts'
import { ownLines } from '../../../src/renderer/features/restore/use-own-lines.ts'

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
  reason: 'changed by somebody else after this run',
  by: [
    { who: 'outside', title: '', at },
    { who: 'run_2', title: 'Round half to even', at: at - 1 }
  ],
  choices: ['keep', 'merge', 'replace'],
  choice: 'keep',
  mergeable: true
}

test('others’ lines are those of the edits the decision is about, not older ones, each with who wrote it', () => {
  const lines = [
    line(1, {}),
    line(2, { origin: 'outside', seq: 2, at: at - 99_000 }),
    line(3, { origin: 'agent', run: 'run_2', seq: 8, at: at - 1 }),
    line(4, { origin: 'outside', seq: 9, at })
  ]
  expect(ownLines(lines, conflict)).toEqual([
    { line: 3, tag: `“Round half to even”, ${clock(at - 1)}`, yours: false },
    { line: 4, tag: `yours, ${clock(at)}`, yours: true }
  ])
})

test('a decision says who wrote later: a run by what it was asked to do', () => {
  expect(reasonWords(conflict, at)).toBe('14:31 · changed by “Round half to even” and outside after this run')
  const outside = { ...conflict, by: conflict.by.slice(0, 1) }
  expect(reasonWords(outside, at)).toBe('14:31 · changed outside after this run')
})

test('the dialog for one change says which one', () => {
  const act = { kind: 'undo-run', run: 'run_1', hunks: { 'src/a.ts': [2] } } as const
  expect(titleWords(act, null)).toBe('Undo change 2 of … in src/a.ts')
  expect([buttonWords(act, 1), verbOf(act)]).toEqual(['Undo 1 change', 'Undo'])
})
