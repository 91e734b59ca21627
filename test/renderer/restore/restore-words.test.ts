/** The moment a plan goes back to, in words. */
import { expect, test } from 'vitest'
import type { Act } from '../../../src/contract/restore.ts'
import { momentWords } from '../../../src/renderer/features/restore/restore-words.ts'

const at = new Date()
at.setHours(14, 2, 0, 0)
const told = (act: Act): string => momentWords(act, { targetAt: at.getTime() })

test('undone is what was made at that time, so the files are as before it; restored again they are as at it', () => {
  expect(told({ kind: 'undo' })).toBe('before 14:02')
  expect(told({ kind: 'recover', how: 'undo' })).toBe('before 14:02')
  expect(told({ kind: 'drift', drift: 'dr_1' })).toBe('before 14:02')
  expect(told({ kind: 'redo' })).toBe('at 14:02')
  expect(told({ kind: 'restore', target: 'cp_1' })).toBe('at 14:02')
})

test('a target without a time is not given one', () => {
  expect(momentWords({ kind: 'undo' }, { targetAt: null })).toBe('')
})
