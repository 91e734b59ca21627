/**
 * Owns table `review`: messages to an agent. At most one of a session is queued.
 *
 *   queued --> sent         the agent got it
 *   queued --> cancelled    a person cancelled it, or queued another one
 */
import type { Review, ReviewRoute, ReviewState, SentReview } from '../../../contract/review.ts'
import type { Store } from './open-store.ts'
import { all, count, get, inserter, run, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'
import { nextOrdinal } from './timeline.ts'

interface ReviewRow {
  readonly id: string
  readonly n: number
  readonly session: string
  readonly state: ReviewState
  readonly route: ReviewRoute
  readonly at: number
  readonly sent_at: number | null
  /** The turn that got it. */
  readonly turn: string | null
  /** `restore.n` of the newest restore whose decisions it has. */
  readonly upto: number
  readonly message: string
}

const DAMAGED = 'The text of this message is damaged.'
const ROW = `r.id, r.n, r.session, r.state, r.route, r.at, r.sent_at, r.turn, r.upto,
  ${readable('r', 'message', DAMAGED)} AS message`

const insertRow = inserter('review', [
  ...(['id', 'n', 'session', 'state', 'route', 'at', 'sent_at', 'turn', 'upto', 'message', 'sum'] as const)
])

export function insertReview(tx: Writable<Store>, review: Omit<ReviewRow, 'n'>): void {
  insertRow(tx, { ...review, n: nextOrdinal(tx, 'review'), sum: 0 })
  run(tx, `UPDATE review SET sum = ${sumOf('message')} WHERE id = ?`, review.id)
}

/** `turn`: the turn that gets it, null when that is not known. */
export function markSent(tx: Writable<Store>, id: string, route: ReviewRoute, turn: string | null, at: number): void {
  run(tx, "UPDATE review SET state = 'sent', route = ?, turn = ?, sent_at = ? WHERE id = ?", route, turn, at, id)
}

export function markCancelled(tx: Writable<Store>, id: string): void {
  run(tx, "UPDATE review SET state = 'cancelled' WHERE id = ?", id)
}

export function findReview(store: Store, id: string): ReviewRow | null {
  return get(store, `SELECT ${ROW} FROM review r WHERE r.id = ?`, id)
}

export function queuedReview(store: Store, session: string): ReviewRow | null {
  return get(store, `SELECT ${ROW} FROM review r WHERE r.session = ? AND r.state = 'queued'`, session)
}

/** Of a session, newest first. */
export function listReviewRows(store: Store, session: string): ReviewRow[] {
  return all(store, `SELECT ${ROW} FROM review r WHERE r.session = ? ORDER BY r.n DESC`, session)
}

/** Those that turns of a run got, oldest first. */
export function reviewsSentTo(store: Store, ofRun: string): SentReview[] {
  const sql = `SELECT r.id, r.route, r.turn, r.sent_at AS sentAt FROM review r
    WHERE r.session = (SELECT session FROM run WHERE id = ?) AND r.state = 'sent'
      AND r.turn IN (SELECT id FROM turn WHERE run = ?) ORDER BY r.n`
  return all(store, sql, ofRun, ofRun)
}

/** `restore.n` of the newest restore that a message of the session has, 0 = none. */
export function sentUpTo(store: Store, session: string): number {
  return count(store, "SELECT max(upto) FROM review WHERE session = ? AND state <> 'cancelled'", session)
}

export function toReview({ id, session, state, route, at, sent_at, message }: ReviewRow): Review {
  return { id, session, state, route, at, sentAt: sent_at, message }
}
