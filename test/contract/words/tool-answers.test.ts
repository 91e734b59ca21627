import { expect, test } from 'vitest'
import { checkpointTitle } from '../../../src/contract/words/checkpoints.ts'
import { toolAnswerText } from '../../../src/contract/words/tool-answers.ts'

const ANSWER = { paths: ['a.ts', 'b.ts'], bytes: 7, overwritten: false }

test('the answer of a tool says what it did, where, and what differs', () => {
  const found = { rung: 'unicode', similarity: 1, firstLine: 3, lastLine: 4 }
  expect(toolAnswerText({ ...ANSWER, outcome: { code: 'edited' }, found, hardLinks: true })).toBe(
    'Edited a.ts at lines 3 to 4; quotes, dashes, blanks or accents differ from old_string. Its other hard links keep the old content.'
  )
  expect(toolAnswerText({ ...ANSWER, outcome: { code: 'moved' }, overwritten: true })).toBe(
    'Moved a.ts to b.ts, replacing it.'
  )
  const text = { content: '', firstLine: 2, lastLine: 5, lines: 9 }
  expect(toolAnswerText({ ...ANSWER, outcome: { code: 'read' }, text })).toBe('a.ts: 7 bytes, lines 2 to 5 of 9.')
})

test('automatic checkpoints are named by their code, or as an earlier version stored it', () => {
  expect(checkpointTitle({ reason: 'pre_run_drift', label: '2' })).toBe('2 files changed outside')
  expect(checkpointTitle({ reason: 'pre_run_drift', label: '2 files changed outside' })).toBe('2 files changed outside')
  expect(checkpointTitle({ reason: 'plan_mode', label: 'left' })).toBe('plan mode left')
  expect(checkpointTitle({ reason: 'plan_mode', label: 'plan mode left' })).toBe('plan mode left')
  expect(checkpointTitle({ reason: 'manual', label: '2' })).toBe('2')
})
