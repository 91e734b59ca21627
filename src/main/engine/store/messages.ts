/**
 * Owns table `message`: the messages of a session, in order. Undoing part of a conversation deletes no rows: each
 * message names its parent, and the messages in force are the chain of parents from the session's `revision`.
 */
import type { Store } from './open-store.ts'
import { all, count, run as execute, exists, get, inserter, scalar, tuples, type Writable } from './sql.ts'

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

const HOOK_SOURCE = 'event:'

export function sourceOfHook(event: string): string {
  return `${HOOK_SOURCE}${event}`
}

/** Reported by a hook event alone; its id in the transcript is not known. */
export function isFromHook(message: Pick<MessageRow, 'source'>): boolean {
  return message.source.startsWith(HOOK_SOURCE)
}

const insertRow = inserter('message', ['session', 'seq', 'parent', 'turn', 'role', 'text', 'at', 'source'])

export function insertMessage(tx: Writable<Store>, message: MessageRow): void {
  insertRow(tx, message)
}

const CONFIRM = `UPDATE message SET source = ? WHERE session = ? AND seq = (SELECT min(seq) FROM message WHERE session = ?
  AND role = ? AND text = ? AND substr(source, 1, ${HOOK_SOURCE.length}) = '${HOOK_SOURCE}'
  AND seq >= (SELECT max(seq) - 50 FROM message WHERE session = ?))`

/**
 * Gives its id in the transcript to a recent message with this text that only a hook event reported. Returns whether
 * there was one.
 */
export function confirmMessage(
  tx: Writable<Store>,
  session: string,
  { source, role, text }: Pick<MessageRow, 'source' | 'role' | 'text'>
): boolean {
  return execute(tx, CONFIRM, source, session, session, role, text, session).changes > 0
}

export function setParent(tx: Writable<Store>, session: string, seq: number, parent: number): void {
  execute(tx, 'UPDATE message SET parent = ? WHERE session = ? AND seq = ?', parent, session, seq)
}

export function hasMessage(store: Store, session: string, source: string): boolean {
  return exists(store, 'SELECT 1 FROM message WHERE session = ? AND source = ?', session, source)
}

/** The newest message of this role. */
export function lastMessage(store: Store, session: string, role: Role): Pick<MessageRow, 'text' | 'source'> | null {
  const sql = 'SELECT text, source FROM message WHERE session = ? AND role = ? ORDER BY seq DESC LIMIT 1'
  return get(store, sql, session, role)
}

/** Seq of the newest message, in force or not; 0 = none. */
export function lastMessageSeq(store: Store, session: string): number {
  return count(store, 'SELECT max(seq) AS seq FROM message WHERE session = ?', session)
}

/** Messages from seq `first` on, oldest first, without deleted ones. */
export function messagesOf(store: Store, session: string, first = 0): MessageRow[] {
  const sql = "SELECT * FROM message WHERE session = ? AND seq >= ? AND text <> '' ORDER BY seq"
  return all(store, sql, session, first)
}

/** The order of all messages, without their texts. `isEmpty`: 1 for a deleted one. */
export function messageLinks(
  store: Store,
  session: string
): (Pick<MessageRow, 'seq' | 'parent'> & { readonly isEmpty: number })[] {
  return all(store, "SELECT seq, parent, text = '' AS isEmpty FROM message WHERE session = ? ORDER BY seq", session)
}

/** Seq of a turn's prompt in its session. */
export function promptSeq(store: Store, session: string | null, turn: string): number | null {
  const sql = "SELECT seq FROM message WHERE session = ? AND turn = ? AND role = 'user' ORDER BY seq LIMIT 1"
  return scalar(store, sql, session, turn)
}

/** Seqs of the prompts of all turns of a session, by turn. */
export function promptSeqsByTurn(store: Store, session: string): ReadonlyMap<string, number> {
  const sql =
    "SELECT turn, min(seq) AS seq FROM message WHERE session = ? AND role = 'user' AND turn IS NOT NULL GROUP BY turn"
  return new Map(tuples<[turn: string, seq: number]>(store, sql, session))
}

/** The prompt of a turn in the newest fork of a session that copied it, and the message before the prompt. */
export function promptInNewestFork(
  store: Store,
  session: string,
  turn: string
): { readonly session: string; readonly revision: number } | null {
  const sql = `WITH RECURSIVE line(id, at) AS (SELECT id, started_at FROM session WHERE id = ?
       UNION SELECT s.id, s.started_at FROM session s JOIN line ON s.forked_from = line.id)
     SELECT m.session, m.parent AS revision FROM line JOIN message m ON m.session = line.id
     WHERE m.turn = ? AND m.role = 'user' AND m.session <> ? ORDER BY line.at DESC, m.seq LIMIT 1`
  return get(store, sql, session, turn, session)
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
