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
  const { plan, mode, model, usage } = session
  const position = JSON.parse(session.position) as Partial<StoredPosition>
  return JSON.stringify({ todos: todosOfSession(session), plan, mode, model, usage, position } satisfies SessionHead)
}

export function parseSessionHead(head: string): SessionHead {
  return JSON.parse(head) as SessionHead
}
