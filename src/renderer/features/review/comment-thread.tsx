/** A comment with its replies: its text, its state, and what a person can do with it. */
import { type ReactNode, useRef, useState } from 'react'
import type { Comment, CommentState } from '../../../contract/review.ts'
import { COMMENT_STATES, commentNote, commentPlaceText } from '../../../contract/words/review.ts'
import { clock, dayInText } from '../../../contract/words/times.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { useNow } from '../../ui/use-now.ts'
import { CommentBox } from './comment-box.tsx'
import type { Thread } from './comment-places.ts'
import { useCommentActions } from './use-comment-actions.ts'
import './review.css'

const ICONS: Readonly<Record<CommentState, IconName>> = {
  open: 'chat',
  queued: 'clock',
  sent: 'aright',
  answered: 'okc',
  resolved: 'check'
}

interface CommentThreadProps extends Thread {
  /** The lines are not beside it: its place and its quote are shown. */
  readonly apart?: boolean
  /** Shown at the right of its head. */
  readonly children?: ReactNode
}

/** In a review of a bundle it can only be read. */
export function CommentThread({ comment, replies, apart = false, children }: CommentThreadProps) {
  const { workspace } = useOpenWorkspace()
  const [shown, setShown] = useState(false)
  const folded = comment.state === 'resolved' && !shown
  const note = commentNote(comment)
  const showQuote = comment.quote !== '' && (apart || comment.lines !== 'same')
  return (
    <article className="thread" aria-label={`Comment on ${commentPlaceText(comment)}`} data-state={comment.state}>
      <div className="thread-head">
        <StateMark state={comment.state} />
        {apart ? <span className="mono cap ell">{commentPlaceText(comment)}</span> : null}
        {note ? <span className="cap muted">{note}</span> : null}
        <span className="grow" />
        {comment.state === 'resolved' ? (
          <Button size="sm" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </Button>
        ) : null}
        {children}
      </div>
      {folded ? null : (
        <>
          {showQuote ? (
            <pre className="thread-quote" data-prose={comment.message !== null || undefined}>
              {comment.quote}
            </pre>
          ) : null}
          <CommentView comment={comment} />
          {replies.map((reply) => (
            <CommentView key={reply.id} comment={reply} isReply />
          ))}
        </>
      )}
      {workspace.bundle ? null : <ThreadFoot comment={comment} folded={folded} />}
    </article>
  )
}

function StateMark({ state }: { readonly state: CommentState }) {
  return (
    <span className="thread-state" data-state={state}>
      <Icon name={ICONS[state]} size="s" />
      {COMMENT_STATES[state]}
    </span>
  )
}

/** The text of one comment; one that the agent has not got yet can be edited and deleted. */
function CommentView({ comment, isReply = false }: { readonly comment: Comment; readonly isReply?: boolean }) {
  const { workspace } = useOpenWorkspace()
  const { remove, rewrite } = useCommentActions()
  const offline = useWorkspaceState((state) => state.offline)
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const now = useNow('minute')
  if (editing) {
    return (
      <CommentBox
        label="Edit comment"
        draftKey={`edit ${comment.id}`}
        initial={comment.text}
        saveLabel="Save"
        onSave={(text) => rewrite(comment.id, text)}
        onClose={() => {
          setEditing(false)
          requestAnimationFrame(() => edit.current?.focus())
        }}
      />
    )
  }
  return (
    <div className="comment" data-reply={isReply || undefined}>
      <MessageText text={comment.text} formatted />
      <div className="comment-foot">
        <span className="cap muted">
          {dayInText(comment.at, now)} {clock(comment.at)}
          {comment.editedAt === null ? '' : ', edited'}
        </span>
        {comment.state === 'open' && !workspace.bundle ? (
          <>
            <Button
              ref={edit}
              size="sm"
              kind="ghost"
              icon="pencil"
              disabledReason={offline}
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
            <Button size="sm" kind="ghost" icon="trash" disabledReason={offline} onClick={() => remove(comment.id)}>
              Delete
            </Button>
          </>
        ) : null}
      </div>
    </div>
  )
}

function ThreadFoot({ comment, folded }: { readonly comment: Comment; readonly folded: boolean }) {
  const { workspace } = useOpenWorkspace()
  const offline = useWorkspaceState((state) => state.offline)
  const { reply, setResolved } = useCommentActions()
  const [replying, setReplying] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const resolved = comment.state === 'resolved'
  if (replying) {
    return (
      <CommentBox
        label="Reply"
        draftKey={`reply ${workspace.id} ${comment.id}`}
        saveLabel="Reply"
        onSave={(text) => reply(comment, text)}
        onClose={() => {
          setReplying(false)
          requestAnimationFrame(() => opener.current?.focus())
        }}
      />
    )
  }
  return (
    <div className="comment-buttons">
      {folded ? null : (
        <Button ref={opener} size="sm" disabledReason={offline} onClick={() => setReplying(true)}>
          Reply
        </Button>
      )}
      <Button
        size="sm"
        icon={resolved ? 'redo' : 'check'}
        disabledReason={offline}
        onClick={() => {
          setResolved(comment.id, !resolved)
          announce(resolved ? 'Comment reopened.' : 'Comment resolved.')
        }}
      >
        {resolved ? 'Reopen' : 'Resolve'}
      </Button>
    </div>
  )
}
