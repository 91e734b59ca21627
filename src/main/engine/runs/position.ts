/** The current work of a session: run, turn, phase and open tool call. One value per session, updated by every event of its agent. */
import type { SessionPosition } from '../../../contract/conversation.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, lastRunOf } from '../store/runs.ts'
import type { StoredPosition } from '../store/session-head.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { unansweredCall } from '../store/tool-calls.ts'
import { sessionOfTurn, turnsOf } from '../store/turns.ts'

/** Derives the position from what is recorded, and stores it. Call at the end of the transaction that changed it. */
export function updatePosition(tx: Writable<Store>, id: string, at: number): void {
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
    completion: live ? '' : run.completion,
    updatedAt: at
  }
  updateSession(tx, id, { position: JSON.stringify(position) })
}

export function positionOf(session: SessionRow): SessionPosition {
  const stored = JSON.parse(session.position) as Partial<StoredPosition>
  return {
    run: stored.run ?? null,
    turn: stored.turn ?? null,
    phase: stored.phase ?? 'stopped',
    toolCall: stored.toolCall ?? null,
    completion: stored.completion ?? '',
    revision: session.revision,
    updatedAt: stored.updatedAt ?? session.last_at
  }
}
