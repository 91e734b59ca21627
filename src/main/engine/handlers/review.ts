/** Comments, and the messages by which an agent gets them together with a person's decisions. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { ReviewDraft } from '../../../contract/review.ts'
import { linesOf } from '../../../contract/settings.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { resolveChanges } from '../diff/requested-changes.ts'
import type { ProcessId } from '../ports/processes.ts'
import { addComment, describeComments, findCommentByPrefix, getComment } from '../review/comments.ts'
import { findingsOf } from '../review/findings.ts'
import { addReview, cancelReview, draftOfRun, draftReview, reviewSetting, takeReview } from '../review/reviews.ts'
import {
  deleteComment,
  listCommentRows,
  openThreadsByRun,
  rewriteComment,
  setCommentResolved
} from '../store/comments.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { findReview, listReviewRows, toReview } from '../store/reviews.ts'
import { findRun, liveRuns } from '../store/runs.ts'
import { findSession, listSessions, type SessionRow } from '../store/sessions.ts'
import { type Sync, transact, type Writable } from '../store/sql.ts'
import { resolveTarget } from '../store/targets.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'
import { findSessionByPrefix } from './sessions.ts'

type ReviewMethod =
  | 'comments.list'
  | 'comments.counts'
  | 'comments.add'
  | 'comments.change'
  | 'comments.delete'
  | 'review.findings'
  | 'review.get'
  | 'review.send'
  | 'review.take'
  | 'review.cancel'
  | 'review.list'

export const REVIEW: WorkspaceHandlers<ReviewMethod> = {
  'comments.list': ({ store }, { run, at, workspace: _, ...filter }) => {
    const seq = at === undefined ? null : resolveTarget(store, at).seq
    const ofRun = run === undefined ? {} : { run: runOf(store, run) }
    const rows = listCommentRows(store, { ...filter, ...ofRun })
    return { comments: describeComments(store, rows, seq) }
  },
  'comments.counts': ({ store }) => ({ runs: Object.fromEntries(openThreadsByRun(store)) }),
  'comments.add': (open, request) => {
    const { message } = request
    const target = message === undefined ? request.target : findSessionByPrefix(open.store, request.target).id
    const id = write(open, (tx) => addComment(tx, { ...request, target }, open.now()))
    return { comment: getComment(open.store, id) }
  },
  'comments.change': (open, { comment, text, resolved }) => {
    const { id, review } = findCommentByPrefix(open.store, comment)
    if (text !== undefined) refuseInMessage(open.store, id, review)
    write(open, (tx) => {
      if (text !== undefined) rewriteComment(tx, id, text, open.now())
      if (resolved !== undefined) setCommentResolved(tx, id, resolved)
    })
    return { comment: getComment(open.store, id) }
  },
  'comments.delete': (open, { comment }) => {
    const { id, review } = findCommentByPrefix(open.store, comment)
    refuseInMessage(open.store, id, review)
    write(open, (tx) => deleteComment(tx, id))
    return {}
  },
  'review.findings': async (open, { run: named }) => {
    const { store } = open
    const target = resolveTarget(store, named)
    const run = runOf(store, named)
    const scope = target.kind === 'turn' ? 'turn' : 'run'
    const { changes } = resolveChanges(store, { target: target.id, scope })
    const off = new Set(linesOf(open.setting('review.findings-off') ?? ''))
    return { run, ...(await findingsOf(store, changes, off)) }
  },
  'review.get': ({ store }, { session, run }) => {
    if (session !== undefined) return draftReview(store, findSessionByPrefix(store, session))
    return run === undefined ? newestDraft(store) : draftOf(store, run)
  },
  'review.send': (open, { session, route, message }) => {
    const row = findSessionByPrefix(open.store, session)
    if (route === 'prompt' && reviewSetting(open, row.agent) === 'off')
      throw new DriftlineError(
        'Refused',
        `Your settings say that ${agentIdentity(row.agent).name} gets no reviews. Change "review.${row.agent}", or copy the message and paste it.`,
        { session: row.id }
      )
    return write(open, (tx) => addReview(tx, row, { route, message, at: open.now() }))
  },
  'review.take': (open, { agent }) => {
    const session = sessionOfProcess(open.store, agent)
    if (!session) return { review: null }
    const how = { route: 'tool', setting: reviewSetting(open, session.agent), at: open.now() } as const
    return { review: write(open, (tx) => takeReview(tx, session, how)) }
  },
  'review.cancel': (open, { review }) => ({ review: write(open, (tx) => cancelReview(tx, review)) }),
  'review.list': ({ store }, { session }) => ({
    reviews: listReviewRows(store, findSessionByPrefix(store, session).id).map(toReview)
  })
}

function write<T>(open: OpenWorkspace, work: (tx: Writable<Store>) => Sync<T>): T {
  const result = transact(open.store, (tx) => {
    const done = work(tx)
    bumpRev(tx)
    return done
  })
  open.notifyChanged(['reviews'])
  return result as T
}

/** [RV-1] What a message to the agent says stays as it was written. */
function refuseInMessage(store: Store, comment: string, review: string | null): void {
  const state = review === null ? null : findReview(store, review)?.state
  if (state === 'sent')
    throw new DriftlineError(
      'Refused',
      'The agent has this comment already, so it stays. Reply to it, or resolve it.',
      {
        comment
      }
    )
  if (state === 'queued')
    throw new DriftlineError(
      'Refused',
      'This comment is in the message that waits for the next prompt, so it was not changed. Cancel the message first: driftline review cancel.',
      { comment }
    )
}

function runOf(store: Store, target: string): string {
  const { run } = resolveTarget(store, target)
  if (run === null) throw new DriftlineError('UnknownTarget', `"${target}" is not a run.`, { target })
  return run
}

/** [RV-4] Only of a live run: the process of one that ended may be another agent's by now. */
function sessionOfProcess(store: Store, { pid, start }: ProcessId): SessionRow | null {
  const run = liveRuns(store).find((live) => pid > 0 && live.pid === pid && live.pid_start === start)
  return run?.session == null ? null : findSession(store, run.session)
}

/** Sessions that are searched for one whose agent has not got everything. */
const MOST_SESSIONS = 50

/** Of the newest session whose agent has not got everything; if there is none, of the newest, or of the newest run. */
function newestDraft(store: Store): ReviewDraft {
  const sessions = listSessions(store)
  for (const session of sessions.slice(0, MOST_SESSIONS)) {
    const draft = draftReview(store, session)
    if (draft.message !== '' || draft.queued) return draft
  }
  return sessions[0] ? draftReview(store, sessions[0]) : draftOf(store, 'latest')
}

/** Of the session of a run, or of the run itself when it has none. */
function draftOf(store: Store, named: string): ReviewDraft {
  const run = findRun(store, runOf(store, named))
  if (!run) throw new Error(`run ${named} is missing`)
  const owner = run.session === null ? null : findSession(store, run.session)
  return owner ? draftReview(store, owner) : draftOfRun(store, run)
}
