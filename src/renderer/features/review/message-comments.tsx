/** The comments on one message or tool call of a conversation, below it: threads, a draft, and the box for another one. */
import { useEffect, useMemo, useRef } from 'react'
import type { Message, SessionCall } from '../../../contract/conversation.ts'
import { callPlaceText, messagePlaceText } from '../../../contract/words/review.ts'
import { useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { announce } from '../../ui/live-region.tsx'
import { CommentBox } from './comment-box.tsx'
import { type Thread, threadsOf } from './comment-places.ts'
import { CommentThread } from './comment-thread.tsx'
import { DraftBar } from './draft-bar.tsx'
import { useDraft } from './drafts.ts'
import { useCommentActions } from './use-comment-actions.ts'
import './review.css'

const NONE: readonly Thread[] = []

/** The threads on messages and tool calls of a conversation, by the key of the row that shows those (message-rows.ts). */
export function useThreadsByRow(session: string): ReadonlyMap<string, readonly Thread[]> {
  const { workspace } = useOpenWorkspace()
  const { data } = useQuery('comments.list', { workspace: workspace.id, session, onMessages: true })
  return useMemo(
    () =>
      Map.groupBy(threadsOf(data?.comments ?? []), ({ comment: { call, message } }) => call?.id ?? `m${message?.seq}`),
    [data]
  )
}

interface MessageCommentsProps {
  readonly session: string
  readonly on: Message | SessionCall
  readonly threads: readonly Thread[] | undefined
  /** The box is open. */
  readonly writing: boolean
  readonly onWrite: () => void
  readonly onClose: () => void
}

export function MessageComments({ session, on, threads = NONE, writing, onWrite, onClose }: MessageCommentsProps) {
  const { workspace } = useOpenWorkspace()
  const { add } = useCommentActions()
  const draftKey = `message ${workspace.id} ${session} ${'id' in on ? on.id : on.seq}`
  const [draft] = useDraft(draftKey)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A long message may end below the list.
    if (writing) requestAnimationFrame(() => end.current?.scrollIntoView({ block: 'nearest' }))
  }, [writing])
  if (threads.length === 0 && !writing && draft === '') return null
  return (
    <div ref={end} className="message-comments" data-comments>
      {threads.map((thread) => (
        <CommentThread key={thread.comment.id} {...thread} />
      ))}
      {writing ? (
        <CommentBox
          label={`Comment on ${'id' in on ? callPlaceText(on) : messagePlaceText(on)}`}
          draftKey={draftKey}
          onSave={async (text) => {
            await add('id' in on ? { target: 'now', call: on.id } : { target: session, message: on.seq }, text, null)
            announce('Comment saved.')
          }}
          onClose={onClose}
        />
      ) : draft === '' ? null : (
        <DraftBar draftKey={draftKey} text={draft} onOpen={onWrite} />
      )}
    </div>
  )
}
