/** The state of a session besides its messages, as checkpoints store it in the column `head`: JSON of SessionHead. */
import type { SessionPosition } from '../../../contract/conversation.ts'
import { type SessionRow, type StoredTodo, todosOfSession } from './sessions.ts'

/** Column `session.position`, JSON. */
export type StoredPosition = Omit<SessionPosition, 'revision'>

export interface SessionHead {
  readonly todos: readonly StoredTodo[]
  readonly plan: string
  readonly mode: string
  readonly model: string
  /** JSON: StoredUsage, the tokens used. */
  readonly usage: string
  readonly position: Partial<StoredPosition>
}

export function encodeSessionHead(session: SessionRow): string {
  const head: SessionHead = {
    todos: todosOfSession(session),
    plan: session.plan,
    mode: session.mode,
    model: session.model,
    usage: session.usage,
    position: JSON.parse(session.position) as Partial<StoredPosition>
  }
  return JSON.stringify(head)
}

export function parseSessionHead(head: string): SessionHead {
  return JSON.parse(head) as SessionHead
}
