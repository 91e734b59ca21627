import { expect, test } from 'vitest'
import { interleavedWords } from '../../../src/renderer/features/diff/interleaved.tsx'

const at = (hours: number, minutes: number) => new Date(2026, 10, 20, hours, minutes).getTime()
const outside = { who: 'outside', title: '', at: at(14, 5) }
const run = { who: 'run_2', title: 'Round', at: at(14, 7) }

test.each([
  ['own', [outside], '1 outside edit at 14:05 between two of this run’s edits; not part of this diff.'],
  [
    'own',
    [outside, run],
    '2 edits of others at 14:05 and 14:07 between two of this run’s edits; not part of this diff.'
  ],
  ['all', [outside], 'Everything between start and end, with 1 outside edit.'],
  ['others', [outside], 'Only what others wrote between two of this run’s edits.']
] as const)('of an interleaved file the part %s says what it holds', (part, between, words) => {
  expect(interleavedWords(part, between)).toBe(words)
})
