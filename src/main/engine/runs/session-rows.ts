/** The rows of a session and its messages: created and updated with every event of its agent. */
import { forkRevision } from '../store/forks.ts'
import { rangesInForce } from '../store/in-force.ts'
import { addLateMessage, isLate } from '../store/late-steps.ts'
import {
  confirmMessage,
  hasMessage,
  insertMessage,
  isFromHook,
  lastMessage,
  lastMessageSeq,
  type MessageRow,
  messagesOf
} from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import {
  advanceRevision,
  findSession,
  getSession,
  type SessionRow,
  type SessionUpdate,
  updateSession,
  upsertSession
} from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'

type NewMessage = Pick<MessageRow, 'turn' | 'role' | 'text' | 'at' | 'source'>

/** Adds what a hook reported: at once, or after the part of the transcript that is still to be imported. */
export function addMessage(tx: Writable<Store>, session: string, message: NewMessage): void {
  if (findSession(tx, session)?.behind) {
    if (!isReported(tx, session, message.source)) addLateMessage(tx, session, message)
  } else appendMessage(tx, session, message)
}

/** Whether a message with this source is recorded, or waits to be added. */
export function isReported(store: Store, session: string, source: string): boolean {
  return hasMessage(store, session, source) || isLate(store, session, source)
}

/** Whether the newest answer to the last prompt is the end of this text: a stop may repeat the whole turn's answers. */
export function isRepeatedAnswer(store: Store, session: string, text: string): boolean {
  const last = lastAnswer(store, session)
  return last !== null && text.trim().endsWith(last.text)
}

/** The newest answer to the last prompt; null without one. An agent may answer several prompts with the same text. */
function lastAnswer(store: Store, session: string): MessageRow | null {
  const answer = lastMessage(store, session, 'assistant')
  const prompt = lastMessage(store, session, 'user')
  return answer && answer.seq > (prompt?.seq ?? 0) ? answer : null
}

/**
 * Appends a message unless it is recorded already. A message usually arrives twice: with a hook event, and later in the
 * agent's transcript, which confirms it. Recorded already means under the same source, or with the same text by a hook
 * event and now in the transcript, or the reverse.
 */
export function appendMessage(tx: Writable<Store>, session: string, message: NewMessage): void {
  const text = message.text.trim()
  if (text === '' || hasMessage(tx, session, message.source)) return
  if (isFromHook(message)) {
    // The transcript was faster. Only the agent's last answer is repeated by an event.
    const last = message.role === 'assistant' ? lastAnswer(tx, session) : null
    if (last?.text === text && !isFromHook(last)) return
  } else if (confirmMessage(tx, session, { ...message, text })) return
  // A prompt continues from all messages that the agent remembers, including those undone here, so it always moves the
  // revision. An answer does so only if nothing was undone: otherwise it was found late and belongs to the undone part.
  const previous = lastMessageSeq(tx, session)
  insertMessage(tx, session, { ...message, seq: previous + 1, parent: previous, text })
  advanceRevision(tx, session, { seq: previous + 1, previous, isPrompt: message.role === 'user' })
}

/**
 * Creates the session when it is new, else updates it; returns its row. A fork starts with a copy of its original's
 * history.
 */
export function touchSession(tx: Writable<Store>, update: SessionUpdate, at: number): SessionRow {
  upsertSession(tx, update, at)
  copyForkedHistory(tx, getSession(tx, update.id))
  return getSession(tx, update.id)
}

/**
 * A forked session starts with copies of the messages in force where it was cut, and with the todos and plan of its
 * origin.
 */
function copyForkedHistory(tx: Writable<Store>, session: SessionRow): void {
  if (session.forked_from === '' || lastMessageSeq(tx, session.id) > 0) return
  const origin = findSession(tx, session.forked_from)
  const revision = forkRevision(tx, session.id) ?? 0
  if (!origin || revision === 0) return
  let seq = 0
  for (const [first, last] of rangesInForce(tx, origin.id, revision).toReversed())
    for (const message of messagesOf(tx, origin.id, first, last))
      insertMessage(tx, session.id, { ...message, seq: ++seq, parent: seq - 1 })
  updateSession(tx, session.id, { revision: seq, todos: origin.todos, plan: origin.plan })
}
