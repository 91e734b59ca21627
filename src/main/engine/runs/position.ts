/** The current work of a session: run, turn, phase and open tool call. One value per session, updated by every event of its agent. */
import type { SessionPosition } from '../../../contract/conversation.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, type RunRow, sessionOfTurn, turnsOf } from '../store/runs.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'

export type StoredPosition = Omit<SessionPosition, 'revision'>

/** Derives the position from what is recorded, and stores it. Call inside the transaction that changed it, at its end. */
export function updatePosition(store: Store, id: string, at: number): void {
  const session = findSession(store, id)
  if (!session) return
  const previous = positionOf(session)
  const run = findRun(store, session.run ?? previous.run ?? '') ?? lastRunOf(store, id)
  if (!run) return
  const live = run.state === 'live'
  // An interrupted run keeps its last phase and open call, so that a person sees where it was interrupted.
  const isInterrupted = run.state === 'interrupted'
  const position: StoredPosition = {
    run: run.id,
    turn: turnsOf(store, run.id).findLast((turn) => sessionOfTurn(store, turn.id) === id)?.id ?? null,
    phase: live ? session.phase : isInterrupted && previous.run === run.id ? previous.phase : 'stopped',
    toolCall: live || isInterrupted ? unansweredCall(store, run, id) : null,
    completion: live ? '' : run.completion,
    updatedAt: at
  }
  updateSession(store, id, { position: JSON.stringify(position) })
}

function lastRunOf(store: Store, session: string): RunRow | null {
  const row = prepareCached(store.db, 'SELECT * FROM run WHERE session = ? ORDER BY n DESC LIMIT 1').get(session)
  return (row as RunRow | undefined) ?? null
}

/** The session's newest call without a result, now or when the run was interrupted. */
function unansweredCall(store: Store, run: RunRow, session: string): string | null {
  const row = prepareCached(
    store.db,
    `SELECT id FROM tool_call WHERE run = ? AND session = ? AND (closed_at IS NULL OR (state = 'abandoned' AND closed_at = ?))
       ORDER BY opened_at DESC, rowid DESC LIMIT 1`
  ).get(run.id, session, run.ended_at) as Pick<ToolCallRow, 'id'> | undefined
  return row?.id ?? null
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
