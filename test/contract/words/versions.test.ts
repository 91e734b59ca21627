/** The words of file versions, and which versions the history lists. */
import { expect, test } from 'vitest'
import {
  historySummary,
  listedVersions,
  restoreDisabledReason,
  versionSentence
} from '../../../src/contract/words/versions.ts'
import { first, outside, VERSION_AT, version } from '../make.ts'

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
  expect(versionSentence(version(more), VERSION_AT)).toBe(words)
})

test('[UI-1] a version whose content is not stored is disabled with that reason; an absent version can be restored', () => {
  expect(restoreDisabledReason(version({ stored: false }))).toBe('Its content is not stored')
  expect(restoreDisabledReason(version({ stored: false, kind: 'absent' }))).toBeNull()
})

test('the initial snapshot of a file that did not exist is not listed', () => {
  const versions = [version({}), version({ ...outside, seq: 2 }), version({ ...first, kind: 'absent' })]
  expect(listedVersions(versions)).toHaveLength(2)
  expect(listedVersions([version({ ...first })])).toHaveLength(1)
  expect(historySummary(listedVersions(versions), VERSION_AT)).toEqual([
    '2 versions since today',
    '1 agent',
    '1 outside change',
    'on disk now, 1.9 kB'
  ])
})
