/** The comments that are not resolved and the decisions that no message has yet, each with a button that leads to it. */
import { useRef, useState } from 'react'
import type { Comment, Decision, ReviewDraft } from '../../../contract/review.ts'
import { DECISION_KINDS } from '../../../contract/words/review.ts'
import { useQuery } from '../../client/use-query.ts'
import { runIdOf } from '../../model/row-targets.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useActions, useOpenWorkspace, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { CommentBox } from './comment-box.tsx'
import { threadsOf } from './comment-places.ts'
import { CommentThread } from './comment-thread.tsx'
import { useCommentActions } from './use-comment-actions.ts'

const NONE: readonly Comment[] = []

interface OpenPointsProps {
  readonly draft: ReviewDraft
  /** The dialog closes before what it leads to is shown. */
  readonly onClose: () => void
}

export function OpenPoints({ draft, onClose }: OpenPointsProps) {
  const { workspace, actions } = useOpenWorkspace()
  const { session, run, decisions } = draft
  const owner = session === null ? { run: run ?? '' } : { session }
  const { data } = useQuery('comments.list', { workspace: workspace.id, ...owner, unresolved: true })
  const threads = threadsOf(data?.comments ?? NONE)
  const goTo = ({ run, session, message, call, path }: Comment) => {
    const seq = message?.seq ?? call?.message ?? null
    if (run === null || session === null || seq === null) return goToFile(run, path)
    onClose()
    actions.showMessage(run, { session, message: seq, ...(call ? { call: call.id } : {}) })
  }
  const goToFile = (run: string | null, path: string | null) => {
    onClose()
    if (run !== null) actions.openAddress({ entry: run, file: path ?? '' })
    // The diff is drawn with the next paint.
    requestAnimationFrame(() => actions.goTo(path === null ? 'files' : 'diff'))
  }
  return (
    <>
      <ChosenRun session={session} onClose={onClose} />
      {threads.length === 0 && decisions.length === 0 ? (
        <p className="muted">
          Nothing is open. Press C on a line of a diff, a message or a tool call to comment on it; what you undo or
          restore of this agent is listed here.
        </p>
      ) : null}
      {threads.length > 0 ? <h2 className="label">Comments</h2> : null}
      {threads.map((thread) => (
        <CommentThread key={thread.comment.id} {...thread} apart>
          <Button
            size="sm"
            icon="aright"
            disabledReason={thread.comment.run === null ? 'no run is part of it' : null}
            onClick={() => goTo(thread.comment)}
          >
            Go to
          </Button>
        </CommentThread>
      ))}
      {decisions.length > 0 ? <h2 className="label">Decisions</h2> : null}
      {decisions.map((decision) => (
        <DecisionView
          key={`${decision.at} ${decision.kind} ${decision.path}`}
          decision={decision}
          onGoTo={() => goToFile(decision.run, decision.path)}
        />
      ))}
    </>
  )
}

function DecisionView({ decision, onGoTo }: { readonly decision: Decision; readonly onGoTo: () => void }) {
  const { kind, path, hunk, run } = decision
  return (
    <article className="thread" aria-label={`${DECISION_KINDS[kind]}: ${path}`}>
      <div className="thread-head">
        <span className="thread-state">{DECISION_KINDS[kind]}</span>
        <span className="mono cap ell">{path}</span>
        <span className="grow" />
        <Button size="sm" icon="aright" disabledReason={run === null ? 'several runs wrote it' : null} onClick={onGoTo}>
          Go to
        </Button>
      </div>
      {hunk === null ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it.
        <pre className="thread-quote" tabIndex={0}>
          {hunk.trimEnd()}
        </pre>
      )}
    </article>
  )
}

/** The selected run, if it is one of the session: kept, undone, or commented on as a whole. */
function ChosenRun({ session, onClose }: { readonly session: string | null; readonly onClose: () => void }) {
  const { workspace } = useOpenWorkspace()
  const actions = useActions()
  const { add } = useCommentActions()
  const review = useReview()
  const node = useWorkspaceState(({ shown }) => shown?.node ?? null)
  const files = useWorkspaceState(({ diff }) => diff?.files ?? null)
  const offline = useWorkspaceState((state) => state.offline)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const [writing, setWriting] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const run = runIdOf(node)
  const owner = node?.kind === 'entry' && node.entry.kind === 'run' ? node.entry.session : null
  if (!node || run === null || owner !== session) return null
  const keep = () => {
    review.setReviewed(files?.map(({ path }) => path) ?? [], true)
    announce('All files of the run are kept.')
  }
  return (
    <>
      <div className="comment-buttons">
        <span className="review-run">Selected run</span>
        <Button ref={opener} size="sm" icon="chat" disabledReason={offline} onClick={() => setWriting(true)}>
          Comment
        </Button>
        <Button size="sm" icon="check" disabledReason={files ? null : 'its files are loading'} onClick={keep}>
          Keep all
        </Button>
        <Button
          size="sm"
          icon="undo"
          disabledReason={unavailable}
          onClick={() => {
            onClose()
            actions.undoRow(node)
          }}
        >
          Undo…
        </Button>
      </div>
      {writing ? (
        <CommentBox
          label="Comment on the whole run"
          draftKey={`run ${workspace.id} ${run}`}
          onSave={(text) => add({ target: run }, text, null)}
          onClose={() => {
            setWriting(false)
            requestAnimationFrame(() => opener.current?.focus())
          }}
        />
      ) : null}
    </>
  )
}
