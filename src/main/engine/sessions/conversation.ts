/** A conversation at a position: the messages in force and the session's head, as checkpoints keep them. */
import type { Store } from '../store/open-store.ts'
import type { StoredPosition } from './position.ts'
import { type SessionRow, type StoredTodo, todosOfSession } from './sessions.ts'

/** What a session has beside its messages; a checkpoint keeps it as JSON and a restore puts it back. */
export interface SessionHead {
  readonly todos: readonly StoredTodo[]
  readonly plan: string
  readonly mode: string
  readonly position: Partial<StoredPosition>
}

export function headOf(session: SessionRow): string {
  const head: SessionHead = {
    todos: todosOfSession(session),
    plan: session.plan,
    mode: session.mode,
    position: JSON.parse(session.position) as Partial<StoredPosition>
  }
  return JSON.stringify(head)
}

/** Seq of a turn's prompt in its session. */
export function promptOf(store: Store, session: string | null, turn: string): number | null {
  const row = store.db
    .prepare("SELECT seq FROM message WHERE session = ? AND turn = ? AND role = 'user' ORDER BY seq LIMIT 1")
    .get(session, turn) as { seq: number } | undefined
  return row?.seq ?? null
}
