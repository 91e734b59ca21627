/** Above the diff of a file: the comments on all of it, and those on no line that is shown, with their quotes. */
import { plural } from '../../../contract/words/numbers.ts'
import { CommentThread } from './comment-thread.tsx'
import type { FileComments as Comments } from './use-file-comments.tsx'
import './review.css'

export function FileComments({ apart, fileBox }: Pick<Comments, 'apart' | 'fileBox'>) {
  if (apart.length === 0 && !fileBox) return null
  return (
    <section className="file-comments" aria-label={`${plural(apart.length, 'comment')} on this file`}>
      {apart.map((thread) => (
        <CommentThread key={thread.comment.id} {...thread} apart />
      ))}
      {fileBox}
    </section>
  )
}
