/**
 * The messages of a session, in order. A message usually arrives twice: with a hook event, and later in the agent's
 * transcript, which confirms it. Undoing part of a conversation deletes no rows: each message names its parent, and the
 * messages in force are the chain of parents from the session's `revision`.
 */
import { prepareCached } from '../db/transaction.ts'
import type { Store } from './open-store.ts'

export type Role = 'user' | 'assistant'

export interface MessageRow {
  readonly session: string
  readonly seq: number
  /** Seq of the message it follows, 0 = none. */
  readonly parent: number
  readonly turn: string | null
  readonly role: Role
  readonly text: string
  readonly at: number
  /** The agent's own id of the message; `event:…` while only a hook event reported it. */
  readonly source: string
}

export interface NewMessage {
  readonly turn: string | null
  readonly role: Role
  readonly text: string
  readonly at: number
  readonly source: string
}

const HOOK_SOURCE = 'event:'

export function sourceOfHook(event: string): string {
  return `${HOOK_SOURCE}${event}`
}

/** Reported by a hook event alone; its id in the transcript is not known. */
export function isFromHook(message: Pick<MessageRow, 'source'>): boolean {
  return message.source.startsWith(HOOK_SOURCE)
}

/**
 * Appends a message unless it is recorded already: under the same source, or with the same text by a hook event and now
 * in the transcript, or the reverse. Returns whether it is new. Call inside a transaction.
 */
export function addMessage(store: Store, session: string, message: NewMessage): boolean {
  const text = message.text.trim()
  if (text === '') return false
  const { db } = store
  if (prepareCached(db, 'SELECT 1 FROM message WHERE session = ? AND source = ?').get(session, message.source))
    return false
  if (isFromHook(message)) {
    // The transcript was faster. Only the agent's last answer is repeated by an event.
    const last = prepareCached(
      db,
      'SELECT text, source FROM message WHERE session = ? AND role = ? ORDER BY seq DESC LIMIT 1'
    ).get(session, message.role) as Pick<MessageRow, 'text' | 'source'> | undefined
    if (message.role === 'assistant' && last?.text === text && !isFromHook(last)) return false
  } else {
    const confirmed = db
      .prepare(
        `UPDATE message SET source = ? WHERE session = ? AND seq = (SELECT min(seq) FROM message WHERE session = ?
         AND role = ? AND text = ? AND substr(source, 1, ${HOOK_SOURCE.length}) = '${HOOK_SOURCE}'
         AND seq >= (SELECT max(seq) - 50 FROM message WHERE session = ?))`
      )
      .run(message.source, session, session, message.role, text, session)
    if (confirmed.changes > 0) return false
  }
  // A prompt continues from all messages that the agent remembers, including those undone here, so it always moves the
  // revision. An answer does so only if nothing was undone: otherwise it was found late and belongs to the undone part.
  const last = lastMessageSeq(store, session)
  prepareCached(
    db,
    'INSERT INTO message(session, seq, parent, turn, role, text, at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  ).run(session, last + 1, last, message.turn, message.role, text, message.at, message.source)
  prepareCached(db, 'UPDATE session SET revision = iif(? OR revision = ?, ?, revision), deleted = 0 WHERE id = ?').run(
    message.role === 'user' ? 1 : 0,
    last,
    last + 1,
    session
  )
  return true
}

/** Seq of the newest message, in force or not; 0 = none. */
export function lastMessageSeq(store: Store, session: string): number {
  const row = prepareCached(store.db, 'SELECT max(seq) AS seq FROM message WHERE session = ?').get(session)
  return (row as { seq: number | null }).seq ?? 0
}

/** Seqs of the messages in force at `revision`: the chain of parents from there. */
export function seqsInForce(
  messages: readonly Pick<MessageRow, 'seq' | 'parent'>[],
  revision: number
): ReadonlySet<number> {
  const bySeq = new Map(messages.map((row) => [row.seq, row]))
  const seqs = new Set<number>()
  for (let seq = revision; seq !== 0 && !seqs.has(seq); seq = bySeq.get(seq)?.parent ?? 0) seqs.add(seq)
  return seqs
}

/** Messages from seq `first` on, oldest first, without deleted ones. */
export function messagesOf(store: Store, session: string, first = 0): MessageRow[] {
  return prepareCached(
    store.db,
    "SELECT * FROM message WHERE session = ? AND seq >= ? AND text <> '' ORDER BY seq"
  ).all(session, first) as MessageRow[]
}
