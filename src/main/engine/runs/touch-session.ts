/** Creates and updates the row of a session with every event of its agent. A fork starts with a copy of its original's history. */
import { forkRevision } from '../store/forks.ts'
import { insertMessage, lastMessageSeq, messagesOf, seqsInForce } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import {
  findSession,
  getSession,
  type SessionRow,
  type SessionUpdate,
  updateSession,
  upsertSession
} from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'

/** Creates the session when it is new, else updates it; returns its row. */
export function touchSession(tx: Writable<Store>, update: SessionUpdate, at: number): SessionRow {
  upsertSession(tx, update, at)
  copyForkedHistory(tx, getSession(tx, update.id))
  return getSession(tx, update.id)
}

/** A forked session starts with copies of the messages in force where it was cut, and with the todos and plan of its origin. */
function copyForkedHistory(tx: Writable<Store>, session: SessionRow): void {
  if (session.forked_from === '' || lastMessageSeq(tx, session.id) > 0) return
  const origin = findSession(tx, session.forked_from)
  const revision = forkRevision(tx, session.id) ?? 0
  if (!origin || revision === 0) return
  const messages = messagesOf(tx, origin.id)
  const copied = seqsInForce(messages, revision)
  let seq = 0
  for (const message of messages) {
    if (copied.has(message.seq)) insertMessage(tx, { ...message, session: session.id, seq: ++seq, parent: seq - 1 })
  }
  updateSession(tx, session.id, { revision: seq, todos: origin.todos, plan: origin.plan })
}
