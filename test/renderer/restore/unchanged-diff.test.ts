/** The preview of an unchanged file shows the version on disk without a change. */
import { expect, test } from 'vitest'
import type { FileDiff } from '../../../src/contract/diff.ts'
import type { FileVersion } from '../../../src/contract/log.ts'
import { unchangedDiff } from '../../../src/renderer/features/restore/use-preview.ts'

const side = (hash: string): FileVersion => ({
  kind: 'file',
  size: 1,
  mode: 0o644,
  hash,
  target: null,
  notStored: null
})

test('unchanged text is the version on disk on both sides', () => {
  const diff: FileDiff = {
    path: 'a',
    change: 'modified',
    before: side('now'),
    after: side('then'),
    secret: false,
    view: 'text',
    beforeText: 'now',
    afterText: 'then',
    encodings: { before: 'utf8', after: 'utf8' },
    hidden: false,
    eolOnly: null
  }
  expect(unchangedDiff(diff)).toMatchObject({ change: 'none', beforeText: 'now', afterText: 'now', after: side('now') })
})
