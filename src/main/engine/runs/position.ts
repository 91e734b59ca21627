/**
 * The current work of a session: run, turn, phase and open tool call. One value per session, updated by every event of
 * its agent.
 */
import type { SessionPosition } from '../../../contract/conversation.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, lastRunOf, liveRuns } from '../store/runs.ts'
import type { StoredPosition } from '../store/session-head.ts'
import { findSession, listSessions, type SessionRow, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { unansweredCall } from '../store/tool-calls.ts'
import { sessionOfTurn, turnsOf } from '../store/turns.ts'

/** Derives the position from what is recorded, and stores it. Call at the end of the transaction that changed it. */
export function updatePosition(tx: Writable<Store>, id: string): void {
  const session = findSession(tx, id)
  if (!session) return
  const previous = positionOf(session)
  const run = findRun(tx, session.run ?? previous.run ?? '') ?? lastRunOf(tx, id)
  if (!run) return
  const live = run.state === 'live'
  // An interrupted run keeps its last phase and open call, so that a person sees where it was interrupted.
  const isInterrupted = run.state === 'interrupted'
  const position: StoredPosition = {
    run: run.id,
    turn: turnsOf(tx, run.id).findLast((turn) => sessionOfTurn(tx, turn.id) === id)?.id ?? null,
    phase: live ? session.phase : isInterrupted && previous.run === run.id ? previous.phase : 'stopped',
    toolCall: live || isInterrupted ? unansweredCall(tx, run.id, id, run.ended_at) : null,
    completion: live ? '' : run.completion
  }
  updateSession(tx, id, { position: JSON.stringify(position) })
}

export function positionOf(session: SessionRow): SessionPosition {
  // Keys that earlier versions stored and nothing reads are left out.
  const {
    run = null,
    turn = null,
    phase = 'stopped',
    toolCall = null,
    completion = ''
  } = JSON.parse(session.position) as Partial<StoredPosition>
  return { run, turn, phase, toolCall, completion, revision: session.revision }
}

/**
 * The conversation a workspace is in now: the session of the live run. Between runs, the session with the newest event,
 * unless its agent has ended it. null when there is none, and when several have a live run: which of them a person has
 * in mind is not guessed.
 */
export function currentSession(store: Store): SessionRow | null {
  const ids = new Set(liveRuns(store).flatMap(({ session }) => (session === null ? [] : [session])))
  const live = [...ids].flatMap((id) => findSession(store, id) ?? []).filter(hasConversation)
  if (live.length > 0) return live.length === 1 ? (live[0] ?? null) : null
  const newest = listSessions(store).find(hasConversation)
  return newest?.ended_at === null ? newest : null
}

/** False for a client of the file tools: it has a session, but sends no messages. */
function hasConversation({ revision, transcript }: SessionRow): boolean {
  return revision > 0 || transcript !== null
}
