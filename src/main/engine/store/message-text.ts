/**
 * Owns table `message_pack`: the texts of messages. A new text is a pack of its own. When GROUP messages have arrived,
 * their texts become one compressed pack: half the size of each compressed alone, and a page of messages reads a few
 * packs and nothing else. Sessions are named by `session.n`.
 */
import { pack, RAW, unpack } from './codec.ts'
import type { Db } from './database.ts'
import { all, count, run as execute, get, iterate, type Readable, type Writable } from './sql.ts'

/** Messages that are packed together. The last of them has a seq that is a multiple of this. */
const GROUP = 128
/** A pack ends with the message that reaches this size: so a page never unpacks more than it and its texts. Bytes. */
const MAX_PACK = 256 * 1024
/** What a message takes besides its text, with its part of the index: the mean of long conversations, bytes. */
const STORED_ROW_BYTES = 150

/** Stores the text of a new message and returns its size as UTF-8, bytes. Packs the group that it completes. */
export function insertText(tx: Writable<Readable>, session: number, seq: number, text: string): number {
  const bytes = Buffer.from(text)
  insertPack(tx, session, seq, RAW, bytes)
  addStoredBytes(tx, session, bytes.length + STORED_ROW_BYTES)
  return bytes.length
}

function insertPack(tx: Writable<Readable>, session: number, first: number, codec: number, bytes: Uint8Array): void {
  execute(tx, 'INSERT INTO message_pack VALUES (?, ?, ?, ?)', session, first, codec, bytes)
}

/** Call after each message, in order. */
export function packWhenComplete(tx: Writable<Readable>, session: number, seq: number): void {
  if (seq % GROUP === 0) packGroup(tx, session, seq - GROUP + 1)
}

interface PackRow {
  readonly first: number
  readonly codec: number
  readonly text: Buffer
}

function packGroup(tx: Writable<Readable>, session: number, from: number): void {
  const range = 'session = ? AND first BETWEEN ? AND ?'
  const sql = `SELECT first, codec, text FROM message_pack WHERE ${range} ORDER BY first`
  const texts = all<PackRow>(tx, sql, session, from, from + GROUP - 1)
  execute(tx, `DELETE FROM message_pack WHERE ${range}`, session, from, from + GROUP - 1)
  for (const rows of splitAt(texts, MAX_PACK)) {
    const bytes = Buffer.concat(rows.map(({ text }) => text))
    const packed = pack(bytes)
    insertPack(tx, session, (rows[0] as PackRow).first, packed.codec, packed.bytes)
    addStoredBytes(tx, session, packed.bytes.length - bytes.length)
  }
}

/** Parts that end with the row that reaches `size`, bytes. */
function splitAt(rows: readonly PackRow[], size: number): PackRow[][] {
  const parts: PackRow[][] = []
  let room = 0
  for (const row of rows) {
    if (room <= 0) {
      parts.push([])
      room = size
    }
    parts.at(-1)?.push(row)
    room -= row.text.length
  }
  return parts
}

function addStoredBytes(tx: Writable<Readable>, session: number, bytes: number): void {
  execute(tx, 'UPDATE session SET stored = stored + ? WHERE n = ?', bytes, session)
}

interface SizedRow {
  readonly seq: number
  /** Of its text as UTF-8, bytes; 0 = deleted. */
  readonly size: number
}

/** Adds their texts to rows of one session. A pack is unpacked once for all rows that follow each other in it. */
export function* withTexts<Row extends SizedRow>(
  store: Readable,
  session: number,
  rows: Iterable<Row>
): Generator<Row & { readonly text: string }> {
  let texts: ReadonlyMap<number, string> = new Map()
  for (const row of rows) {
    if (row.size > 0 && !texts.has(row.seq)) texts = readPack(store, session, row)
    yield { ...row, text: texts.get(row.seq) ?? '' }
  }
}

const READ_PACK =
  'SELECT first, codec, text FROM message_pack WHERE session = ? AND first <= ? ORDER BY first DESC LIMIT 1'

/** The texts of the pack that holds this message, by seq. */
function readPack(store: Readable, session: number, { seq, size }: SizedRow): ReadonlyMap<number, string> {
  const found = get<PackRow>(store, READ_PACK, session, seq)
  if (!found) throw new Error(`the text of message ${seq} is missing`)
  const bytes = unpack(found.codec, found.text)
  if (found.first === seq && bytes.length === size) return new Map([[seq, bytes.toString('utf8')]])
  return splitTexts(store, session, found.first, bytes)
}

function splitTexts(store: Readable, session: number, first: number, bytes: Buffer): ReadonlyMap<number, string> {
  const sql = `SELECT seq, size FROM message WHERE session = ? AND seq >= ? ORDER BY seq LIMIT ${GROUP}`
  const texts = new Map<number, string>()
  let end = 0
  for (const row of all<SizedRow>(store, sql, session, first)) {
    const start = end
    end += row.size
    if (end > bytes.length) break
    texts.set(row.seq, bytes.toString('utf8', start, end))
  }
  return texts
}

const NEXT_PACK = 'SELECT first, codec, text FROM message_pack WHERE session = ? AND first > ? ORDER BY first LIMIT 1'

/** The texts of a conversation, pack by pack: all of a pack as one text in UTF-8, and each by the seq of its message. */
export function* packedTexts(
  store: Readable,
  session: number
): Generator<{ readonly whole: Buffer; readonly split: () => ReadonlyMap<number, string> }> {
  for (let after = 0; ; ) {
    const found = get<PackRow>(store, NEXT_PACK, session, after)
    if (!found) return
    const { first } = found
    const bytes = unpack(found.codec, found.text)
    yield { whole: bytes, split: () => splitTexts(store, session, first, bytes) }
    after = first
  }
}

/** What the messages of all conversations take, bytes. */
export function storedConversationBytes(store: Readable): number {
  return count(store, 'SELECT sum(stored) FROM session')
}

/** For the migration: `former` holds the messages with their texts, `session.n` names the sessions. */
export function packFormerTexts(db: Db): void {
  const tx = { db } as Writable<Readable>
  const sql = `SELECT s.n AS session, m.seq, m.text FROM former m JOIN session s ON s.id = m.session
    WHERE m.text <> '' AND s.n = ? AND m.seq > ? ORDER BY m.seq LIMIT ${GROUP}`
  for (const { n } of [...iterate<{ n: number }>(tx, 'SELECT n FROM session')])
    for (let after = 0; ; ) {
      const rows = all<{ seq: number; text: string }>(tx, sql, n, after)
      for (const { seq, text } of rows) {
        insertText(tx, n, seq, text)
        packWhenComplete(tx, n, seq)
      }
      after = rows.at(-1)?.seq ?? after
      if (rows.length < GROUP) break
    }
}
