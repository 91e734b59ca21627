/** The words of file versions, and which versions the history lists. */
import { expect, test } from 'vitest'
import type { PathVersion } from '../../../src/contract/log.ts'
import {
  historySummary,
  listedVersions,
  restoreDisabledReason,
  versionSentence
} from '../../../src/contract/words/versions.ts'
import { blameRows, blockAt, blockLabel } from '../../../src/renderer/features/history/blame-rows.ts'
import { versionRails } from '../../../src/renderer/features/history/version-list.tsx'

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
  [{ inForce: false }, 'Round half to even, Codex, turn 2, today 14:08, undone'],
  [{ change: 'added', added: 41 }, 'Round half to even, Codex, turn 2, today 14:08, added, 41 lines added'],
  [{ ...outside, drift: 'open', added: 1 }, 'Changed outside, to review, today 14:08, 1 line added'],
  [{ ...outside, change: 'deleted', kind: 'absent' }, 'Deleted outside, during a run, today 14:08, deleted'],
  [
    { ...outside, origin: 'restore', title: 'before "Swap the table"' },
    'Restored, to before \u201cSwap the table\u201d, today 14:08'
  ],
  [first, 'Initial snapshot, when recording started, today 14:08']
] as const)('a version names the change, its author, its time and its status: %o', (more, words) => {
  expect(versionSentence(version(more), at)).toBe(words)
})

test('[UI-1] a version whose content is not stored is disabled with that reason; an absent version can be restored', () => {
  expect(restoreDisabledReason(version({ stored: false }))).toBe('Its content is not stored')
  expect(restoreDisabledReason(version({ stored: false, kind: 'absent' }))).toBeNull()
})

test('the initial snapshot of a file that did not exist is not listed', () => {
  const versions = [version({}), version({ ...outside, seq: 2 }), version({ ...first, kind: 'absent' })]
  expect(listedVersions(versions)).toHaveLength(2)
  expect(listedVersions([version({ ...first })])).toHaveLength(1)
  expect(historySummary(listedVersions(versions), at)).toEqual([
    '2 versions since today',
    '1 agent',
    '1 outside change',
    'on disk now, 1.9 kB'
  ])
})

test('the rail leads around the versions a restore undid, and bends at outside changes', () => {
  const rails = versionRails([
    version({ ...outside, seq: 9, drift: 'open' }),
    version({ ...outside, origin: 'restore', seq: 8, back: 2 }),
    version({ seq: 5, inForce: false }),
    version({ seq: 2 }),
    version({ ...first })
  ])
  const kinds = rails.map(({ paths }) => [...new Set(paths.map(({ style }) => style))])
  expect(kinds).toEqual([['off', 'warn'], ['axis', 'off', 'back'], ['off', 'back'], ['off', 'back'], ['axis']])
})

test('adjacent lines of one author form a block, which counts the other lines of that author', () => {
  const line = (n: number, seq: number) =>
    ({ n, seq, run: null, prompt: null, origin: 'outside', at, text: `${n}` }) as const
  const rows = blameRows([line(1, 4), line(2, 4), line(3, 7), line(4, 4)], at)
  expect(rows.map((row) => row.first)).toEqual([true, false, true, true])
  expect([0, 1, 2, 3].map((index) => blockLabel(blockAt(rows, index)))).toEqual([
    'lines 1 \u2013 2 and 1 more',
    'lines 1 \u2013 2 and 1 more',
    'line 3',
    'line 4 and 2 more'
  ])
})
