/** Which review a file allows: hunk by hunk, as a whole, or none; and why an undo is disabled. */
import { expect, test } from 'vitest'
import type { FileChange, FileDiff, TextHunk } from '../../../src/contract/diff.ts'
import { reviewScopeOf } from '../../../src/renderer/features/diff/review.ts'
import { side } from './page/samples.ts'

const FILE: FileChange = {
  path: 'a.bin',
  change: 'modified',
  kind: 'binary',
  added: 0,
  deleted: 0,
  hunks: 0,
  attribution: 'declared',
  interleaved: false,
  secret: false,
  counted: true
}
const HUNK: TextHunk = { n: 1, oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 1, blocks: [], undoneBy: null, undoneLines: [] }
const diff = (undoneBy?: string | null): FileDiff => ({
  path: FILE.path,
  change: 'modified',
  before: side(),
  after: side(),
  secret: false,
  ...(undoneBy === undefined ? {} : { undoneBy }),
  view: 'opaque',
  type: 'data'
})

test('text files of a run are reviewed hunk by hunk, other files as a whole', () => {
  expect(reviewScopeOf(FILE, diff(null), [HUNK], true, null)).toMatchObject({
    byHunk: true,
    asWhole: false,
    undoneBy: null,
    undoDisabled: null
  })
  expect(reviewScopeOf(FILE, diff(null), [], true, null)).toMatchObject({ byHunk: false, asWhole: true })
})

test('nothing is reviewed between two positions, or before the file is on screen', () => {
  expect(reviewScopeOf(FILE, diff(), [], false, null).asWhole).toBe(false)
  expect(reviewScopeOf(FILE, null, [], true, null).asWhole).toBe(false)
})

test('[UI-58] the buttons of a file are in its header or in a bar of their own, from the start on', () => {
  const inHeader = (file: FileChange, loaded: FileDiff | null, hunks: TextHunk[] = []) =>
    reviewScopeOf(file, loaded, hunks, true, null).inHeader
  const text: FileChange = { ...FILE, kind: 'text' }
  expect([inHeader(text, null), inHeader(text, diff(null), [HUNK])]).toEqual([true, true])
  for (const whole of [FILE, { ...text, change: 'added' }, { ...text, change: 'renamed' }] satisfies FileChange[])
    expect([inHeader(whole, null), inHeader(whole, diff(null))], whole.change).toEqual([false, false])
  expect(reviewScopeOf(FILE, null, [], false, null).inHeader).toBe(true)
})

test('undo is disabled for a file that is already undone, whose content is not stored, or without a recorder', () => {
  expect(reviewScopeOf(FILE, diff('rst_1'), [], true, null)).toMatchObject({
    undoneBy: 'rst_1',
    undoDisabled: 'Already undone'
  })
  expect(reviewScopeOf({ ...FILE, undoneBy: 'rst_2' }, null, [], true, null).undoneBy).toBe('rst_2')
  expect(reviewScopeOf({ ...FILE, notStored: 'too-large' }, diff(null), [], true, null).undoDisabled).toBe(
    'The earlier content of this file is not stored'
  )
  expect(reviewScopeOf(FILE, diff(null), [HUNK], true, 'no connection').undoDisabled).toBe('no connection')
})

test('a file that the run made is reviewed as a whole, or some lines of it that are selected', () => {
  const scope = reviewScopeOf({ ...FILE, change: 'added' }, diff(null), [HUNK], true, null)
  expect(scope).toMatchObject({ byHunk: false, asWhole: true })
  expect(scope.partDisabled(0)).toBe('Select lines of the new file first')
  expect(scope.partDisabled(2)).toBeNull()
  expect(reviewScopeOf(FILE, diff(null), [], true, null).partDisabled(0)).not.toBeNull()
})
