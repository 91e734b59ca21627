/** Promise of the preview: a file that is kept is shown as it is on disk, with no change in it. */
import { expect, test } from 'vitest'
import type { FileDiff } from '../../../src/contract/diff.ts'
import type { FileVersion } from '../../../src/contract/log.ts'
import { staying } from '../../../src/renderer/features/restore/staying.ts'

const side = (hash: string): FileVersion => ({
  kind: 'file',
  size: 1,
  mode: 0o644,
  hash,
  target: null,
  notStored: null
})

test('text that stays has the bytes of the disk on both sides', () => {
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
  expect(staying(diff)).toMatchObject({ change: 'none', beforeText: 'now', afterText: 'now', after: side('now') })
})
