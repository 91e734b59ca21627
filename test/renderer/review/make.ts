/** A comment with defaults: a test names only the fields it is about. */
import type { Comment } from '../../../src/contract/review.ts'

export function comment(id: string, more: Partial<Comment> = {}): Comment {
  return {
    id,
    at: 0,
    editedAt: null,
    text: id,
    state: 'open',
    run: 'run',
    session: 'session',
    message: null,
    call: null,
    path: 'a.ts',
    line: 1,
    endLine: 1,
    moved: false,
    lines: 'same',
    quote: '',
    replyTo: null,
    review: null,
    ...more
  }
}
