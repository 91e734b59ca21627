/** What the versions of a file say, and which of them there are to look at. */
import { expect, test } from 'vitest'
import type { PathVersion } from '../../../src/contract/log.ts'
import { blameRows, blockAt, blockWords } from '../../../src/renderer/features/history/blame-rows.ts'
import { versionRails } from '../../../src/renderer/features/history/version-rail.ts'
import {
  historyParts,
  listed,
  versionSentence,
  whyNotRestored
} from '../../../src/renderer/features/history/version-words.ts'

const at = new Date(2026, 10, 20, 14, 8).getTime()
const version = (more: Partial<PathVersion>): PathVersion => ({
  seq: 3,
  origin: 'agent',
  run: 'run_1',
  prompt: 'Round half to even\nand more',
  at,
  kind: 'file',
  size: 1900,
  hash: 'a',
  stored: true,
  agent: 'codex',
  turn: 2,
  entry: 'run_1',
  title: '',
  drift: null,
  inForce: true,
  back: null,
  change: 'modified',
  added: 0,
  deleted: 0,
  counted: true,
  ...more
})
const outside = { origin: 'outside', run: null, prompt: null, agent: null, turn: null } as const
const first = { ...outside, origin: 'baseline', seq: 0, change: 'none' } as const

test.each([
  [{ added: 3, deleted: 2 }, 'Round half to even, Codex, turn 2, today 14:08, 3 lines added, 2 deleted'],
  [{ inForce: false }, 'Round half to even, Codex, turn 2, today 14:08, taken back'],
  [{ change: 'added', added: 41 }, 'Round half to even, Codex, turn 2, today 14:08, added, 41 lines added'],
  [{ ...outside, drift: 'open', added: 1 }, 'Changed outside, not reviewed, today 14:08, 1 line added'],
  [{ ...outside, change: 'deleted', kind: 'absent' }, 'Deleted outside, during a run, today 14:08, deleted'],
  [
    { ...outside, origin: 'restore', title: 'before "Swap the table"' },
    'Restored, to before \u201cSwap the table\u201d, today 14:08'
  ],
  [first, 'First copy, when recording began, today 14:08']
] as const)('a version says what happened, who did it, when, and what became of it: %o', (more, words) => {
  expect(versionSentence(version(more), at)).toBe(words)
})

test('[UI-1] a version whose content is not kept says so; one that was not there can be gone back to', () => {
  expect(whyNotRestored(version({ stored: false }))).toBe('Its content is not kept')
  expect(whyNotRestored(version({ stored: false, kind: 'absent' }))).toBeNull()
})

test('before the first version there may have been nothing: that is no version', () => {
  const versions = [version({}), version({ ...outside, seq: 2 }), version({ ...first, kind: 'absent' })]
  expect(listed(versions)).toHaveLength(2)
  expect(listed([version({ ...first })])).toHaveLength(1)
  expect(historyParts(listed(versions), at)).toEqual([
    '2 versions since today',
    '1 agent',
    '1 outside change',
    'on disk now, 1.9 kB'
  ])
})

test('the line goes round what a restore took back, and bends at what came from outside', () => {
  const rails = versionRails([
    version({ ...outside, seq: 9, drift: 'open' }),
    version({ ...outside, origin: 'restore', seq: 8, back: 2 }),
    version({ seq: 5, inForce: false }),
    version({ seq: 2 }),
    version({ ...first })
  ])
  const kinds = rails.map((strokes) => [...new Set(strokes.map((stroke) => stroke.as))])
  expect(kinds).toEqual([['off', 'warn'], ['axis', 'off', 'back'], ['off', 'back'], ['off', 'back'], ['axis']])
})

test('lines of one writer that follow each other are one block, and say how many more there are', () => {
  const line = (n: number, seq: number) =>
    ({ n, seq, run: null, prompt: null, origin: 'outside', at, text: `${n}` }) as const
  const rows = blameRows([line(1, 4), line(2, 4), line(3, 7), line(4, 4)], at)
  expect(rows.map((row) => row.first)).toEqual([true, false, true, true])
  expect([0, 1, 2, 3].map((index) => blockWords(blockAt(rows, index)))).toEqual([
    'lines 1 \u2013 2 and 1 more',
    'lines 1 \u2013 2 and 1 more',
    'line 3',
    'line 4 and 2 more'
  ])
})
