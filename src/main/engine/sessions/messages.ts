/** What was said in a session, as rows in order; told by events first, confirmed by the transcript. */
import { prepareCached } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

export type Role = 'user' | 'assistant'

export interface MessageRow {
  readonly session: string
  readonly seq: number
  /** The message before it, 0 = none. */
  readonly parent: number
  readonly turn: string | null
  readonly role: Role
  readonly text: string
  readonly at: number
  /** The agent's own id of it, or `event:…` while only an event told of it. */
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

/** Only an event told of it: its id in the transcript is not known. */
export function isFromHook(message: Pick<MessageRow, 'source'>): boolean {
  return message.source.startsWith(HOOK_SOURCE)
}

/**
 * Appends a message. One that is there already is not added: the same source, or the same words told by an event and
 * now found in the transcript (or the other way round). Returns whether it is new. Call inside a transaction.
 */
export function addMessage(store: Store, session: string, said: NewMessage): boolean {
  const words = said.text.trim()
  if (words === '') return false
  const { db } = store
  if (prepareCached(db, 'SELECT 1 FROM message WHERE session = ? AND source = ?').get(session, said.source)) return false
  if (isFromHook(said)) {
    // What the transcript told already: an event repeats only the last words of the agent.
    const last = prepareCached(
      db,
      'SELECT text, source FROM message WHERE session = ? AND role = ? ORDER BY seq DESC LIMIT 1'
    ).get(session, said.role) as Pick<MessageRow, 'text' | 'source'> | undefined
    if (said.role === 'assistant' && last?.text === words && !isFromHook(last)) return false
  } else {
    const confirmed = db
      .prepare(
        `UPDATE message SET source = ? WHERE session = ? AND seq = (SELECT min(seq) FROM message WHERE session = ?
         AND role = ? AND text = ? AND substr(source, 1, ${HOOK_SOURCE.length}) = '${HOOK_SOURCE}'
         AND seq >= (SELECT max(seq) - 50 FROM message WHERE session = ?))`
      )
      .run(said.source, session, session, said.role, words, session)
    if (confirmed.changes > 0) return false
  }
  // A session that goes on with a prompt stands on everything its agent has in mind, also on what was taken back here.
  // An answer that is only found later belongs to what was taken back.
  const last = lastMessageSeq(store, session)
  prepareCached(
    db,
    'INSERT INTO message(session, seq, parent, turn, role, text, at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  ).run(session, last + 1, last, said.turn, said.role, words, said.at, said.source)
  prepareCached(db, 'UPDATE session SET revision = iif(? OR revision = ?, ?, revision), deleted = 0 WHERE id = ?').run(
    said.role === 'user' ? 1 : 0,
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

/** Seqs of what is in force when the conversation stands at `revision`: its chain of parents. */
export function seqsInForce(
  messages: readonly Pick<MessageRow, 'seq' | 'parent'>[],
  revision: number
): ReadonlySet<number> {
  const bySeq = new Map(messages.map((row) => [row.seq, row]))
  const seqs = new Set<number>()
  for (let seq = revision; seq !== 0 && !seqs.has(seq); seq = bySeq.get(seq)?.parent ?? 0) seqs.add(seq)
  return seqs
}

/** From `first` on, oldest first; what was forgotten is left out. */
export function messagesOf(store: Store, session: string, first = 0): MessageRow[] {
  return prepareCached(store.db, "SELECT * FROM message WHERE session = ? AND seq >= ? AND text <> '' ORDER BY seq").all(
    session,
    first
  ) as MessageRow[]
}
