/** The words of timeline rows. */
import { expect, test } from 'vitest'
import { entryTitle } from '../../../src/contract/words/timeline.ts'
import { restore } from '../../renderer/model/make.ts'

test('the row of an undo says whether all of a run was undone or a selection of its changes', () => {
  const undo = (more: Parameters<typeof restore>[3]) =>
    entryTitle(restore('rst_1', 9, null, { act: 'undo-run', ...more }))
  expect(undo({ files: 3 })).toBe('Undid a run in 3 files')
  expect(undo({ files: 1, path: 'src/cart/total.ts' })).toBe('Undid a run in 1 file')
  expect(undo({ files: 1, selected: true, path: 'src/cart/total.ts' })).toBe('Undid changes in total.ts')
  expect(undo({ files: 3, selected: true })).toBe('Undid changes in 3 files')
  expect(undo({ files: 1, selected: true, path: 'a.ts', state: 'partial' })).toBe('Partly restored 1 file')
})
