import { expect, test } from 'vitest'
import { openThreadsByPath } from '../../../src/renderer/model/comment-counts.ts'
import { comment } from '../review/make.ts'

test('[UI-43] threads that are not resolved are counted by file, without their replies', () => {
  const counts = openThreadsByPath([
    comment('a', { path: 'a.ts' }),
    comment('b', { path: 'a.ts', state: 'sent' }),
    comment('c', { path: 'a.ts', replyTo: 'a' }),
    comment('d', { path: 'b.ts', state: 'resolved' }),
    comment('e', { path: null })
  ])
  expect([...counts]).toEqual([['a.ts', 2]])
})
