import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../src/contract/restore.ts'
import {
  consequenceText,
  lineRanges,
  resolutionLabel,
  resolutionText
} from '../../../src/contract/words/resolutions.ts'

const own = (...lines: number[]) => ({ path: 'a.ts', lines: lines.map((line) => ({ line, tag: '', yours: true })) })

test('Replace names the lines it removes and says that undo restores them', () => {
  expect(consequenceText('replace', { own: own(33, 34), counts: null })).toBe(
    'Replace removes your 2 lines (lines 33–34). Undo restores them.'
  )
  const others = { path: 'a.ts', lines: [{ line: 7, tag: '', yours: false }] }
  expect(consequenceText('replace', { own: others, counts: null })).toContain(
    'removes 1 line written by others (line 7).'
  )
})

test('Replace of a file that did not exist then is Delete, and the time is that of the request', () => {
  const undo = { kind: 'undo-run', run: 'run_1' } as const
  const restore = { kind: 'restore', target: 'cp_1', mode: 'files' } as const
  const conflict = { cause: 'others-after-run', choices: ['keep', 'replace'], deletes: true } as const
  const text = (request: RestoreRequest, deletes: boolean) =>
    resolutionText('replace', request, { ...conflict, deletes }, 'at 14:02', [])
  expect(resolutionLabel('replace', conflict)).toBe('Delete')
  expect(text(undo, true)).toBe('It did not exist before these edits. The current version is saved first')
  expect(text(restore, true)).toContain('It did not exist at 14:02.')
  expect(text(undo, false)).toContain('Use the version from before these edits.')
  expect(text(restore, false)).toContain('Use the version at 14:02.')
  expect(consequenceText('replace', { own: own(1), counts: null }, conflict)).toContain('Deletes the file.')
})

test('a change that later edits overlap says why it can only be kept', () => {
  const stuck = { cause: 'others-after-run', choices: ['keep'], deletes: false } as const
  const change = { kind: 'undo-run', run: 'run_1', hunks: { path: 'a.ts', hunks: [0] } } as unknown as RestoreRequest
  expect(resolutionText('keep', change, stuck, '', [])).toContain('Later edits overlap with this change')
})

test('Merge counts removed, restored and kept lines', () => {
  expect(consequenceText('merge', { own: own(4), counts: { added: 1, deleted: 3 } })).toBe(
    'Removes 3 lines and restores 1 line; your 1 line stays.'
  )
})

test('Keep loses nothing', () => {
  expect(consequenceText('keep', { own: null, counts: null })).toContain('nothing is lost')
})

test('lines are grouped into ranges, and a long list is cut', () => {
  expect(lineRanges([1])).toBe('line 1')
  expect(lineRanges([1, 2, 5])).toBe('lines 1–2 and 5')
  expect(lineRanges([1, 3, 5, 7, 9])).toBe('lines 1, 3, 5, 7 and more')
})
