/** Where a session stands in its work: one latest value per session, brought up to date by every event of its agent. */
import type { SessionPosition } from '../../../contract/conversation.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, type RunRow, sessionOfTurn, turnsOf } from './runs.ts'
import { findSession, type SessionRow, updateSession } from './sessions.ts'
import type { ToolCallRow } from './tool-calls.ts'

export type StoredPosition = Omit<SessionPosition, 'revision'>

/** Works the position out from what is recorded and keeps it. Call inside a transaction, after what changed it. */
export function updatePosition(store: Store, id: string, at: number): void {
  const session = findSession(store, id)
  if (!session) return
  const before = positionOf(session)
  const run = findRun(store, session.run ?? before.run ?? '') ?? lastRunOf(store, id)
  if (!run) return
  const live = run.state === 'live'
  // A run that was cut off stands where it stood; one that ended stands at its end.
  const cut = run.state === 'interrupted'
  const position: StoredPosition = {
    run: run.id,
    turn: turnsOf(store, run.id).findLast((turn) => sessionOfTurn(store, turn.id) === id)?.id ?? null,
    phase: live ? session.phase : cut && before.run === run.id ? before.phase : 'stopped',
    toolCall: live || cut ? unansweredCall(store, run, id) : null,
    completion: live ? '' : run.completion,
    updatedAt: at
  }
  updateSession(store, id, { position: JSON.stringify(position) })
}

function lastRunOf(store: Store, session: string): RunRow | null {
  const row = prepareCached(store.db, 'SELECT * FROM run WHERE session = ? ORDER BY n DESC LIMIT 1').get(session)
  return (row as RunRow | undefined) ?? null
}

/** The session's newest call without an answer, now or when the run was cut off. */
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
