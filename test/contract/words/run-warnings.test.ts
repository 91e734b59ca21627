import { expect, test } from 'vitest'
import { diffWarningText, runWarningText } from '../../../src/contract/words/run-warnings.ts'

test('a warning names the first paths and counts the rest', () => {
  expect(runWarningText({ code: 'not-stored-after', paths: ['a', 'b'], count: 2 })).toBe(
    'Content written by the run is not stored: a, b.'
  )
  expect(runWarningText({ code: 'elsewhere', paths: ['a', 'b'], count: 1202 })).toBe(
    'Changes in a, b and 1,200 more are not part of this history: they are recorded as their own folders.'
  )
})

test('several warnings of a comparison are one text, none is empty', () => {
  expect(diffWarningText([])).toBe('')
  expect(diffWarningText([{ code: 'no-earlier' }, { code: 'mixed', paths: ['a'], count: 1 }])).toBe(
    "There is no earlier checkpoint with changes. Compared with the initial snapshot. This diff includes changes of others that overlap with the run's: a."
  )
})

test('[PR-3] a transcript that was not read says what is recorded nevertheless, and what to do', () => {
  expect(runWarningText({ code: 'transcript-not-read' })).toBe(
    'The conversation was not imported: the transcript that the agent named is not at the place or under the name of this session. Files are recorded and can be restored; the conversation cannot. If the agent was updated, update Driftline, too.'
  )
})

test('a run without all earlier versions names each cause there is, a nearly full disk among them', () => {
  const causes = 'the initial snapshot was not complete, or recording was paused, during this run.'
  expect(runWarningText({ code: 'incomplete' })).toBe(`Earlier versions may be missing: ${causes}`)
  expect(diffWarningText([{ code: 'incomplete' }])).toBe(`Earlier versions of some files may be missing: ${causes}`)
})
