/** Why changes are not found as they happen, as people read it. */
import { expect, test } from 'vitest'
import { unwatchedText } from '../../../src/contract/words/watching.ts'

test('nothing to say while changes are found as they happen', () => {
  expect(unwatchedText(null)).toBe('')
})

test.each([
  [{ code: 'folder-limit' }, 'fs.inotify.max_user_watches'],
  [{ code: 'watcher-limit' }, 'fs.inotify.max_user_instances'],
  [{ code: 'failed', error: 'EIO' }, '(EIO)'],
  [{ code: 'unreported' }, 'did not report some changes'],
  [{ code: 'moved' }, 'moved, renamed or deleted'],
  [{ code: 'gone' }, 'does not exist any more'],
  [{ code: 'unreachable', error: 'ENOTCONN' }, '(ENOTCONN)'],
  [{ code: 'disk-full' }, 'nearly full'],
  [{ code: 'paused' }, 'Paused.']
] as const)('%j', (reason, words) => {
  const text = unwatchedText(reason)
  expect(text).toContain(words)
  expect(text).toMatch(/^[A-Z].*(\.|=\d+)$/)
})
