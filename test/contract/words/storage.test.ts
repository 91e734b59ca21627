/** What a sweep could not do, as people read it. */
import { expect, test } from 'vitest'
import { sweepNoteText } from '../../../src/contract/words/storage.ts'

test.each([
  [null, ''],
  [{ code: 'running' }, 'Another cleanup of this history is running. Nothing was deleted by this one.'],
  [
    { code: 'over-budget', bytes: 1_200_000, days: 7 },
    'History is still 2 MB over its budget: pins, guards and the runs of the last 7 days need it. Raise the budget or keep fewer days.'
  ],
  [
    { code: 'postponed', why: 'readers', erases: false },
    'Another process is reading the history, so the disk space is freed a little later.'
  ],
  [
    { code: 'postponed', why: 'live-run', erases: true },
    'A run is live, so deleted content is erased from the file later: automatically while Driftline is open, or with "driftline gc". It is not shown anywhere meanwhile.'
  ]
] as const)('%j', (note, text) => {
  expect(sweepNoteText(note)).toBe(text)
})
