/** The words of timeline rows. */
import { expect, test } from 'vitest'
import type { Turn } from '../../../src/contract/conversation.ts'
import { entryTitle, turnSentence } from '../../../src/contract/words/timeline.ts'
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

test('a turn is named by the first line of its prompt, which can be pages long', () => {
  const turn = { prompt: '\n Label the cards \nand say why\n', at: 0, files: 2 } as Turn
  expect(turnSentence(turn, 0)).toMatch(/^Turn, Label the cards, .*, 2 files\.$/)
  expect(turnSentence({ ...turn, prompt: ' \n' }, 0)).toContain('Turn, no prompt,')
})
