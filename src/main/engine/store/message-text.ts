/**
 * Owns table `message_pack` and the column `message.text`: the texts of conversations. A new text is stored in its
 * message. When GROUP messages have arrived, their texts are compressed together: ten times better than each alone for
 * short ones, and a page of messages reads a few packs and nothing else. Sessions are named by `session.n`.
 */
import { pack, unpack } from './codec.ts'
import type { Db } from './database.ts'
import { all, count, run as execute, get, iterate, type Readable, type Writable } from './sql.ts'

/** How many messages are packed at a time; their seqs end with a multiple of it. */
const GROUP = 128
/** A pack ends with the message that reaches this size: so a page never unpacks more than it and its texts. Bytes. */
const MAX_PACK = 256 * 1024
/** What a message takes besides its text, with its part of the index: the mean of long conversations, bytes. */
export const STORED_ROW_BYTES = 150

interface TextRow {
  readonly seq: number
  /** Null while the text is packed. */
  readonly text: string | null
  /** Bytes. */
  readonly size: number
}

/** Call after each message, in order. Packs the texts of a group that it completes. */
export function packWhenComplete(tx: Writable<Readable>, session: number, seq: number): void {
  if (seq % GROUP === 0) packGroup(tx, session, seq - GROUP + 1)
}

function packGroup(tx: Writable<Readable>, session: number, first: number): void {
  const sql = 'SELECT seq, text, size FROM message WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq'
  const rows = all<TextRow>(tx, sql, session, first, first + GROUP - 1)
  for (let from = 0; from < rows.length; ) {
    let [to, size] = [from, 0]
    for (; to < rows.length && size < MAX_PACK; to++) size += rows[to]?.size ?? 0
    packRows(tx, session, rows.slice(from, to), size)
    from = to
  }
}

function packRows(tx: Writable<Readable>, session: number, rows: readonly TextRow[], size: number): void {
  if (size === 0) return
  const [from, to] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0]
  // Deleted ones take no part of it and stay as they are.
  const { codec, bytes } = pack(Buffer.from(rows.map(({ text }) => text ?? '').join('')))
  execute(tx, 'INSERT INTO message_pack VALUES (?, ?, ?, ?)', session, from, codec, bytes)
  const sql = "UPDATE message SET text = NULL WHERE session = ? AND seq BETWEEN ? AND ? AND text <> ''"
  execute(tx, sql, session, from, to)
  addStoredBytes(tx, session, bytes.length - size)
}

export function addStoredBytes(tx: Writable<Readable>, session: number, bytes: number): void {
  execute(tx, 'UPDATE session SET stored = stored + ? WHERE n = ?', bytes, session)
}

/**
 * Yields the rows with their texts. They must be in order, of one session. A pack is unpacked once for all rows that
 * follow each other in it.
 */
export function* withTexts<Row extends TextRow>(
  store: Readable,
  session: number,
  rows: Iterable<Row>
): Generator<Row & { readonly text: string }> {
  let texts: PackReader | null = null
  for (const row of rows) {
    if (row.text !== null) {
      yield row as Row & { readonly text: string }
      continue
    }
    if (!texts?.holds(row.seq)) texts = openPack(store, session, row.seq)
    yield { ...row, text: texts.textOf(row.seq) }
  }
}

interface PackReader {
  holds(seq: number): boolean
  textOf(seq: number): string
}

function openPack(store: Readable, session: number, seq: number): PackReader {
  const sql = 'SELECT first, codec, text FROM message_pack WHERE session = ? AND first <= ? ORDER BY first DESC LIMIT 1'
  const found = get<{ first: number; codec: number; text: Buffer }>(store, sql, session, seq)
  if (!found) throw new Error(`the text of message ${seq} is missing`)
  const { first, codec, text } = found
  const bytes = unpack(codec, text)
  const ranges = new Map<number, readonly [number, number]>()
  let end = 0
  for (const row of sizesFrom(store, session, first)) {
    const start = end
    end += row.size
    if (end > bytes.length) break
    ranges.set(row.seq, [start, end])
  }
  return { holds: (at) => ranges.has(at), textOf: (at) => bytes.toString('utf8', ...(ranges.get(at) ?? [0, 0])) }
}

/** A pack has at most GROUP messages. */
function sizesFrom(store: Readable, session: number, first: number): Pick<TextRow, 'seq' | 'size'>[] {
  const sql = 'SELECT seq, size FROM message WHERE session = ? AND seq >= ? ORDER BY seq LIMIT ?'
  return all(store, sql, session, first, GROUP)
}

/** What the messages of all conversations take, bytes. */
export function storedConversationBytes(store: Readable): number {
  return count(store, 'SELECT sum(stored) FROM session')
}

/** For the migration to packs. Rows of older formats are in order, without gaps. */
export function packAllMessages(db: Db): void {
  const tx = { db } as Writable<Readable>
  const sql = `UPDATE session SET stored = (SELECT coalesce(sum(m.size + ${STORED_ROW_BYTES}), 0) FROM message m WHERE m.session = session.n)`
  execute(tx, sql)
  const groups = `SELECT DISTINCT session, (seq - 1) / ${GROUP} AS n FROM message WHERE seq % ${GROUP} = 0`
  for (const { session, n } of [...iterate<{ session: number; n: number }>(tx, groups)])
    packGroup(tx, session, n * GROUP + 1)
}
