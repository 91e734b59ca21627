/** How many threads of comments are open, by file. Pure. */
import type { Comment } from '../../contract/review.ts'

/** Threads that no person resolved; those on a whole run count for no file. */
export function openThreadsByPath(comments: readonly Comment[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path, replyTo, state } of comments) {
    if (path !== null && replyTo === null && state !== 'resolved') counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return counts
}
