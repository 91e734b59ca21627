/**
 * Messages to an agent. [RV-4] A message holds the open comments of one session and the decisions that no message to its
 * agent has yet. It goes to that session alone, and once: it is marked as sent in the transaction that hands it over.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Review, ReviewDraft, ReviewRoute, ReviewSetting } from '../../../contract/review.ts'
import { reviewMessage } from '../../../contract/words/review.ts'
import { assignReview, listCommentRows, releaseComments } from '../store/comments.ts'
import { newId } from '../store/ids.ts'
import type { Store } from '../store/open-store.ts'
import type { ChangeOwner } from '../store/restore-items.ts'
import { lastRestoreOrdinal } from '../store/restores.ts'
import { findReview, insertReview, markCancelled, markSent, queuedReview, toReview } from '../store/reviews.ts'
import type { RunRow } from '../store/runs.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { describeComments } from './comments.ts'
import { unsentDecisions } from './decisions.ts'

/** The default is `ask`. */
export function reviewSetting({ setting }: { setting(key: string): string | null }, agent: string): ReviewSetting {
  const value = setting(`review.${agent}`)
  return value === 'on' || value === 'off' ? value : 'ask'
}

/** What no message to the agent of a session has yet, a queued one included. */
export function draftReview(store: Store, session: SessionRow): ReviewDraft & { readonly session: string } {
  const { id, agent, title, started_at } = session
  const queued = queuedReview(store, id)
  const draft = draftFor(store, { session: id }, started_at)
  return { ...draft, session: id, run: null, agent, title, queued: queued && toReview(queued) }
}

/** The same for a run to which no hooks reported. Nothing is sent to it, so all comments and decisions are in it. */
export function draftOfRun(store: Store, { id, agent, title, started_at }: RunRow): ReviewDraft {
  return { ...draftFor(store, { run: id }, started_at), session: null, run: id, agent, title, queued: null }
}

function draftFor(store: Store, owner: ChangeOwner, since: number) {
  const rows = listCommentRows(store, { ...owner, unresolved: true, unsent: true })
  const comments = describeComments(store, rows)
  const decisions = unsentDecisions(store, owner, since)
  return { comments, decisions, message: reviewMessage(comments, decisions) }
}

/** A new message takes the place of a queued one and holds what that one did. */
export function addReview(
  tx: Writable<Store>,
  session: SessionRow,
  { route, message, at }: { readonly route: ReviewRoute; readonly message?: string | undefined; readonly at: number }
): { readonly review: Review; readonly comments: number; readonly decisions: number } {
  const queued = queuedReview(tx, session.id)
  if (queued) cancel(tx, queued.id)
  const draft = draftReview(tx, session)
  if (draft.message === '')
    throw new DriftlineError('Refused', 'There is nothing to send: no open comment, and no change undone since.', {
      session: session.id
    })
  const id = newId('rev')
  const isSent = route !== 'prompt'
  insertReview(tx, {
    id,
    session: session.id,
    state: isSent ? 'sent' : 'queued',
    route,
    at,
    sent_at: isSent ? at : null,
    turn: isSent ? session.turn : null,
    upto: lastRestoreOrdinal(tx),
    message: message ?? draft.message
  })
  assignReview(
    tx,
    id,
    draft.comments.map((comment) => comment.id)
  )
  return { review: getReview(tx, id), comments: draft.comments.length, decisions: draft.decisions.length }
}

/** Its comments are open again, and its decisions not sent. Throws Refused when the agent has it. */
export function cancelReview(tx: Writable<Store>, id: string): Review {
  const row = findReview(tx, id)
  if (!row) throw new DriftlineError('UnknownTarget', `There is no message "${id}".`, { review: id })
  if (row.state === 'sent')
    throw new DriftlineError('Refused', 'The agent has this message already, so it cannot be cancelled.', {
      review: id
    })
  cancel(tx, id)
  return getReview(tx, id)
}

function cancel(tx: Writable<Store>, id: string): void {
  markCancelled(tx, id)
  releaseComments(tx, id)
}

/** The message that a session gets now, marked as sent; null without one. */
export function takeReview(
  tx: Writable<Store>,
  session: SessionRow,
  { route, setting, at }: { readonly route: ReviewRoute; readonly setting: ReviewSetting; readonly at: number }
): Review | null {
  if (setting === 'off') return null
  if (setting === 'on' && draftReview(tx, session).message !== '') addReview(tx, session, { route: 'prompt', at })
  const queued = queuedReview(tx, session.id)
  if (!queued) return null
  markSent(tx, queued.id, route, session.turn, at)
  return getReview(tx, queued.id)
}

function getReview(store: Store, id: string): Review {
  const row = findReview(store, id)
  if (!row) throw new Error(`review ${id} is missing`)
  return toReview(row)
}
