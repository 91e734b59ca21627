/**
 * Owns table `message`: the messages of a session, in order. Undoing part of a conversation deletes no rows: each
 * message names its parent, and the messages in force are the chain of parents from the session's `revision`.
 * Nothing here reads a whole conversation at once: it may hold 100,000 messages.
 */
import { insertText, packWhenComplete, withTexts } from './message-text.ts'
import type { Store } from './open-store.ts'
import { all, count, run as execute, exists, get, inserter, scalar, tuples, type Writable } from './sql.ts'

export type Role = 'user' | 'assistant'

export interface MessageRow {
  readonly seq: number
  /** Seq of the message it follows, 0 = none. */
  readonly parent: number
  readonly turn: string | null
  readonly role: Role
  readonly text: string
  /** The stored text cannot be read, and `text` says so. */
  readonly damaged?: boolean
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

const insertRow = inserter('message', ['session', 'seq', 'parent', 'turn', 'role', 'size', 'at', 'source'])

/** SQL: the number of the session whose id is bound here. */
export const SESSION_N = '(SELECT n FROM session WHERE id = ?)'

function numberOf(store: Store, session: string): number {
  return count(store, `SELECT ${SESSION_N}`, session)
}

/** Appends a message: its seq is the next one. */
export function insertMessage(tx: Writable<Store>, session: string, message: MessageRow): void {
  const n = numberOf(tx, session)
  const size = insertText(tx, n, message.seq, message.text)
  insertRow(tx, { ...message, session: n, size })
  packWhenComplete(tx, n, message.seq)
}

/** How many of the newest messages are compared with one that is reported a second time. */
const RECENT = 50

/**
 * Gives its id in the transcript to a recent message with this text that only a hook event reported. Returns whether
 * there was one.
 */
export function confirmMessage(
  tx: Writable<Store>,
  session: string,
  { source, role, text }: Pick<MessageRow, 'source' | 'role' | 'text'>
): boolean {
  const [seq] = findReported(tx, session, { role, text }, RECENT)
  if (seq === undefined) return false
  execute(tx, `UPDATE message SET source = ? WHERE session = ${SESSION_N} AND seq = ?`, source, session, seq)
  return true
}

/** Seqs of the messages with this text that only a hook event reported, among the `newest` ones. */
export function findReported(
  store: Store,
  session: string,
  { role, text }: Pick<MessageRow, 'role' | 'text'>,
  newest = Number.MAX_SAFE_INTEGER
): number[] {
  const n = numberOf(store, session)
  const sql = `SELECT seq, size FROM message WHERE session = ? AND seq >= (SELECT max(seq) - ? FROM message WHERE session = ?)
    AND role = ? AND size = ? AND substr(source, 1, ${HOOK_SOURCE.length}) = '${HOOK_SOURCE}' ORDER BY seq`
  const rows = all<{ seq: number; size: number }>(store, sql, n, newest, n, role, Buffer.byteLength(text))
  return [...withTexts(store, n, rows)].filter((row) => row.text === text).map(({ seq }) => seq)
}

export function setParent(tx: Writable<Store>, session: string, seq: number, parent: number): void {
  execute(tx, `UPDATE message SET parent = ? WHERE session = ${SESSION_N} AND seq = ?`, parent, session, seq)
}

export function hasMessage(store: Store, session: string, source: string): boolean {
  return exists(store, `SELECT 1 FROM message WHERE session = ${SESSION_N} AND source = ?`, session, source)
}

interface PackedRow extends Omit<MessageRow, 'text'> {
  readonly size: number
}

const COLUMNS = 'seq, parent, turn, role, size, at, source'

function readMessage(store: Store, session: string, condition: string, ...values: (string | number)[]) {
  const n = numberOf(store, session)
  const row = get<PackedRow>(store, `SELECT ${COLUMNS} FROM message WHERE session = ? AND ${condition}`, n, ...values)
  return row === null ? null : ([...withTexts(store, n, [row])][0] as MessageRow)
}

export function findMessage(store: Store, session: string, seq: number): MessageRow | null {
  return readMessage(store, session, 'seq = ?', seq)
}

/** The position of a message, found by the id that the agent gave it. */
export function findBySource(
  store: Store,
  session: string,
  source: string
): Pick<MessageRow, 'seq' | 'parent' | 'turn'> | null {
  const sql = `SELECT seq, parent, turn FROM message WHERE session = ${SESSION_N} AND source = ?`
  return get(store, sql, session, source)
}

/** The newest message of this role. */
export function lastMessage(store: Store, session: string, role: Role): MessageRow | null {
  return readMessage(store, session, 'role = ? ORDER BY seq DESC LIMIT 1', role)
}

/** Seq of the newest message, in force or not; 0 = none. */
export function lastMessageSeq(store: Store, session: string): number {
  return count(store, `SELECT max(seq) AS seq FROM message WHERE session = ${SESSION_N}`, session)
}

/** How many messages are read in one query. */
const READ_ROWS = 256

/**
 * Messages from seq `first` to `last`, oldest first, without deleted ones. They are read in steps, while the caller
 * takes them.
 */
export function* messagesOf(
  store: Store,
  session: string,
  first = 0,
  last = Number.MAX_SAFE_INTEGER
): Generator<MessageRow & { readonly size: number }> {
  const n = numberOf(store, session)
  const sql = `SELECT ${COLUMNS} FROM message WHERE session = ? AND seq BETWEEN ? AND ? AND size > 0 ORDER BY seq LIMIT ${READ_ROWS}`
  for (let from = first; ; ) {
    const rows = all<PackedRow>(store, sql, n, from, last)
    yield* withTexts(store, n, rows)
    if (rows.length < READ_ROWS) return
    from = (rows.at(-1)?.seq ?? last) + 1
  }
}

export type Side = 'before' | 'after'

/** Whether there are messages before or after this one, without deleted ones. */
export function hasMessages(store: Store, session: string, side: Side, seq: number): boolean {
  const sql = `SELECT 1 FROM message WHERE session = ${SESSION_N} AND seq ${COMPARE[side]} ? AND size > 0`
  return exists(store, sql, session, seq)
}

const COMPARE = { before: '<', after: '>' }
/** A page ends with the message whose text reaches this size, bytes: a frame has to hold it. */
const PAGE_BYTES = 1024 * 1024

/** Seqs of the `limit` messages next to `seq` on one side, the nearest first; fewer when their texts are long. */
export function seqsBeside(store: Store, session: string, side: Side, seq: number, limit: number): number[] {
  const order = side === 'before' ? 'DESC' : 'ASC'
  const sql = `SELECT seq, size FROM message WHERE session = ${SESSION_N} AND seq ${COMPARE[side]} ? AND size > 0
    ORDER BY seq ${order} LIMIT ?`
  let bytes = 0
  return tuples<[seq: number, size: number]>(store, sql, session, seq, limit).flatMap(([found, size]) => {
    if (bytes >= PAGE_BYTES) return []
    bytes += size
    return [found]
  })
}

/** Seq of a turn's prompt in its session. */
export function promptSeq(store: Store, session: string | null, turn: string): number | null {
  const sql = `SELECT seq FROM message WHERE session = ${SESSION_N} AND turn = ? AND role = 'user' ORDER BY seq LIMIT 1`
  return scalar(store, sql, session, turn)
}

/** Seqs of the prompts of all turns of a session, by turn. */
export function promptSeqsByTurn(store: Store, session: string): ReadonlyMap<string, number> {
  const sql = `SELECT turn, min(seq) AS seq FROM message WHERE session = ${SESSION_N} AND role = 'user' AND turn IS NOT NULL
    GROUP BY turn`
  return new Map(tuples<[turn: string, seq: number]>(store, sql, session))
}

/** The prompt of a turn in the newest fork of a session that copied it, and the message before the prompt. */
export function promptInNewestFork(
  store: Store,
  session: string,
  turn: string
): { readonly session: string; readonly revision: number } | null {
  const sql = `WITH RECURSIVE line(id, n, at) AS (SELECT id, n, started_at FROM session WHERE id = ?
       UNION SELECT s.id, s.n, s.started_at FROM session s JOIN line ON s.forked_from = line.id)
     SELECT line.id AS session, m.parent AS revision FROM line JOIN message m ON m.session = line.n
     WHERE m.turn = ? AND m.role = 'user' AND line.id <> ? ORDER BY line.at DESC, m.seq LIMIT 1`
  return get(store, sql, session, turn, session)
}

/** Seq of the newest answer to a prompt, or of the prompt itself: its answers follow it, one after the other. */
export function lastAnswerTo(store: Store, session: string, prompt: number): number {
  const n = numberOf(store, session)
  const sql = `SELECT seq FROM message WHERE session = ? AND seq > ? AND (role = 'user' OR parent <> seq - 1) ORDER BY seq LIMIT 1`
  const next = scalar<number>(store, sql, n, prompt)
  return next === null ? lastMessageSeq(store, session) : next - 1
}
