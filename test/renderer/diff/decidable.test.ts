/** Promises of the diff pane: what can be decided about a file, and why not when it cannot. */
import { expect, test } from 'vitest'
import type { FileChange, FileDiff, TextHunk } from '../../../src/contract/diff.ts'
import { decidableOf } from '../../../src/renderer/features/diff/decidable.ts'
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
const HUNK: TextHunk = { n: 1, oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 1, takenBack: null }
const diff = (takenBack?: string | null): FileDiff => ({
  path: FILE.path,
  change: 'modified',
  before: side(),
  after: side(),
  secret: false,
  ...(takenBack === undefined ? {} : { takenBack }),
  view: 'opaque',
  type: 'data'
})

test('text of a run is decided change by change, everything else of it as a whole', () => {
  expect(decidableOf(FILE, diff(null), [HUNK], true)).toEqual({
    single: true,
    whole: false,
    takenBack: null,
    noUndo: null
  })
  expect(decidableOf(FILE, diff(null), [], true)).toMatchObject({ single: false, whole: true })
})

test('nothing is decided between two positions, nor before the file is on screen', () => {
  expect(decidableOf(FILE, diff(), [], false).whole).toBe(false)
  expect(decidableOf(FILE, null, [], true).whole).toBe(false)
})

test('a file that is taken back already, or whose content is not kept, says why it cannot be taken back', () => {
  expect(decidableOf(FILE, diff('rst_1'), [], true)).toMatchObject({
    takenBack: 'rst_1',
    noUndo: 'It is taken back already'
  })
  expect(decidableOf({ ...FILE, takenBack: 'rst_2' }, null, [], true).takenBack).toBe('rst_2')
  expect(decidableOf({ ...FILE, notStored: 'too-large' }, diff(null), [], true).noUndo).toBe(
    'The earlier content of this file is not kept'
  )
})
