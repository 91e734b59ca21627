/** The moment that a plan restores, as text. */
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../src/contract/restore.ts'
import { momentText } from '../../../src/contract/words/restores.ts'

const at = new Date()
at.setHours(14, 2, 0, 0)
const moment = (request: RestoreRequest): string => momentText(request, { targetAt: at.getTime() })

test('undo leads to before the moment, restore and redo to the moment itself', () => {
  expect(moment({ kind: 'undo' })).toBe('before 14:02')
  expect(moment({ kind: 'recover', how: 'undo' })).toBe('before 14:02')
  expect(moment({ kind: 'drift', drift: 'dr_1' })).toBe('before 14:02')
  expect(moment({ kind: 'redo' })).toBe('at 14:02')
  expect(moment({ kind: 'restore', target: 'cp_1' })).toBe('at 14:02')
})

test('a target without a time has no moment', () => {
  expect(momentText({ kind: 'undo' }, { targetAt: null })).toBe('')
})
