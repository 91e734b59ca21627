import { expect, test } from 'vitest'
import { interleavedSentence, mixedSentence } from '../../../src/renderer/features/diff/interleaved-notice.tsx'

const at = (hours: number, minutes: number) => new Date(2026, 10, 20, hours, minutes).getTime()
const outside = { who: 'outside', title: '', at: at(14, 5) }
const run = { who: 'run_2', title: 'Round', at: at(14, 7) }

test.each([
  ['own', [outside], '1 outside edit during this run (14:05) is not shown.'],
  ['own', [outside, run], '2 edits by others during this run (14:05, 14:07) are not shown.'],
  ['all', [outside], 'All edits from start to end of the run, including 1 outside edit.'],
  ['others', [outside], 'Only edits by others during this run.']
] as const)('the notice of an interleaved file describes the filter %s', (filter, edits, sentence) => {
  expect(interleavedSentence(filter, edits, false)).toBe(sentence)
})

test('[UI-1] edits of others that overlap with the run’s are shown, and the notice says so', () => {
  expect(mixedSentence([outside])).toBe('Includes 1 outside edit (14:05), which cannot be separated from the run’s.')
  expect(mixedSentence([outside, run, outside])).toBe(
    'Includes 3 edits by others (last at 14:05), which cannot be separated from the run’s.'
  )
})

test('the notice says how the lines of others are marked', () => {
  expect(interleavedSentence('own', [outside], true)).toBe('1 outside edit (14:05) is not shown; dots mark its lines.')
})
