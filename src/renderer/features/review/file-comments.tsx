/** Above the diff of a file: findings and comments on all of it, and those on no line that is shown, with their quotes. */
import type { Finding } from '../../../contract/findings.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { CommentThread } from './comment-thread.tsx'
import { FindingNote } from './file-findings.tsx'
import type { FileComments as Comments } from './use-file-comments.tsx'
import './review.css'

interface FileCommentsProps extends Pick<Comments, 'apart' | 'fileBox'> {
  readonly findings: readonly Finding[]
}

export function FileComments({ apart, fileBox, findings }: FileCommentsProps) {
  return (
    <>
      {findings.map((finding) => (
        <FindingNote key={finding.kind} finding={finding} />
      ))}
      {apart.length === 0 && !fileBox ? null : <Threads apart={apart} fileBox={fileBox} />}
    </>
  )
}

function Threads({ apart, fileBox }: Pick<Comments, 'apart' | 'fileBox'>) {
  return (
    <section className="file-comments" aria-label={`${plural(apart.length, 'comment')} on this file`}>
      {apart.map((thread) => (
        <CommentThread key={thread.comment.id} {...thread} apart />
      ))}
      {fileBox}
    </section>
  )
}
