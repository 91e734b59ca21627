/**
 * Owns table `message_pack`: the texts of messages. A new text is a pack of its own. When GROUP messages have arrived,
 * their texts become one compressed pack: half the size of each compressed alone, and a page of messages reads a few
 * packs and nothing else. Each pack is a zstd frame with a checksum; those of older versions have none, or are raw.
 * Sessions are named by `session.n`.
 */
import { DAMAGED_MESSAGE } from '../../../contract/words/damage.ts'
import { errorCode } from '../files/fs-errors.ts'
import { packChecked, RAW, unpack } from './codec.ts'
import type { Db } from './database.ts'
import { all, count, run as execute, get, iterate, type Readable, type Writable } from './sql.ts'
import { hasChecksum } from './zstd-prefix.ts'

/** Messages that are packed together. The last of them has a seq that is a multiple of this. */
const GROUP = 128
/** A pack ends with the message that reaches this size: so a page never unpacks more than it and its texts. Bytes. */
const MAX_PACK = 256 * 1024
/** What a message takes besides its text, with its part of the index: the mean of long conversations, bytes. */
const STORED_ROW_BYTES = 150

/** Stores the text of a new message and returns its size as UTF-8, bytes. Packs the group that it completes. */
export function insertText(tx: Writable<Readable>, session: number, seq: number, text: string): number {
  const bytes = Buffer.from(text)
  addStoredBytes(tx, session, insertPack(tx, session, seq, bytes) + STORED_ROW_BYTES)
  return bytes.length
}

/** Returns how many bytes the pack takes. */
function insertPack(tx: Writable<Readable>, session: number, first: number, texts: Uint8Array): number {
  const { codec, bytes } = packChecked(texts)
  execute(tx, 'INSERT INTO message_pack VALUES (?, ?, ?, ?)', session, first, codec, bytes)
  return bytes.length
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

/** A damaged text stays in a row of its own, between the packs of those before and after it. */
function packGroup(tx: Writable<Readable>, session: number, from: number): void {
  const sql = 'SELECT first, codec, text FROM message_pack WHERE session = ? AND first BETWEEN ? AND ? ORDER BY first'
  const rows = all<PackRow>(tx, sql, session, from, from + GROUP - 1)
  for (const group of splitAt(rows.map(unpackRow), MAX_PACK)) {
    for (const { first, stored } of group) {
      execute(tx, 'DELETE FROM message_pack WHERE session = ? AND first = ?', session, first)
      addStoredBytes(tx, session, -stored)
    }
    const texts = Buffer.concat(group.map(({ bytes }) => bytes))
    addStoredBytes(tx, session, insertPack(tx, session, (group[0] as UnpackedRow).first, texts))
  }
}

interface UnpackedRow {
  readonly first: number
  readonly bytes: Buffer
  /** How many bytes the row takes. */
  readonly stored: number
}

function unpackRow({ first, codec, text }: PackRow): UnpackedRow | null {
  const bytes = unpackOrNull(codec, text)
  return bytes && { first, bytes, stored: text.length }
}

/** Null for a frame whose bytes are not those that were packed. */
function unpackOrNull(codec: number, frame: Uint8Array): Buffer | null {
  try {
    return unpack(codec, frame)
  } catch (error) {
    if (/^ERR_(BUFFER_TOO_LARGE|ZSTD)|^ZSTD_|^Z_/.test(errorCode(error))) return null
    throw error
  }
}

/** Parts that end with the row that reaches `size`, bytes, or before a damaged one, which is in none. */
function splitAt(rows: readonly (UnpackedRow | null)[], size: number): UnpackedRow[][] {
  const parts: UnpackedRow[][] = []
  let room = 0
  for (const row of rows) {
    if (row && room <= 0) {
      parts.push([])
      room = size
    }
    if (row) parts.at(-1)?.push(row)
    room = row ? room - row.bytes.length : 0
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

interface StoredText {
  readonly text: string
  /** The text could not be read, and is a sentence that says so. */
  readonly damaged: boolean
}

const DELETED: StoredText = { text: '', damaged: false }
const DAMAGED: StoredText = { text: DAMAGED_MESSAGE, damaged: true }

/**
 * Adds their texts to rows of one session. A pack is unpacked once for all rows that follow each other in it. One that is
 * damaged costs the texts of its own messages.
 */
export function* withTexts<Row extends SizedRow>(
  store: Readable,
  session: number,
  rows: Iterable<Row>
): Generator<Row & StoredText> {
  let texts: ReadonlyMap<number, StoredText> = new Map()
  for (const row of rows) {
    if (row.size > 0 && !texts.has(row.seq)) texts = readPack(store, session, row)
    yield { ...row, ...(row.size === 0 ? DELETED : (texts.get(row.seq) ?? DAMAGED)) }
  }
}

const READ_PACK =
  'SELECT first, codec, text FROM message_pack WHERE session = ? AND first <= ? ORDER BY first DESC LIMIT 1'

/** The texts of the pack that holds this message, by seq. */
function readPack(store: Readable, session: number, { seq, size }: SizedRow): ReadonlyMap<number, StoredText> {
  const found = get<PackRow>(store, READ_PACK, session, seq)
  if (!found) return new Map([[seq, DAMAGED]])
  const bytes = unpackOrNull(found.codec, found.text)
  if (bytes && found.first === seq && bytes.length === size)
    return new Map([[seq, { text: bytes.toString('utf8'), damaged: false }]])
  return splitTexts(store, session, found.first, bytes)
}

/**
 * `bytes`: of the pack that begins with `first`; null if it is damaged. The pack ends where a message ends: else a size is
 * damaged. Messages behind its end have lost their own pack.
 */
function splitTexts(
  store: Readable,
  session: number,
  first: number,
  bytes: Buffer | null
): ReadonlyMap<number, StoredText> {
  let end = 0
  const spans = all<SizedRow>(store, PACK_SIZES, session, first, session, first).map(({ seq, size }) => {
    end += size
    return { seq, start: end - size, end }
  })
  const isWhole = spans.some((span) => span.end === bytes?.length)
  return new Map(
    spans.map(({ seq, start, end }) => [
      seq,
      bytes && isWhole && end <= bytes.length ? { text: bytes.toString('utf8', start, end), damaged: false } : DAMAGED
    ])
  )
}

/** The messages of the pack that begins with this seq: those before the next pack. */
const PACK_SIZES = `SELECT seq, size FROM message WHERE session = ? AND seq >= ? AND size > 0 AND
  seq < coalesce((SELECT min(first) FROM message_pack WHERE session = ? AND first > ?), 1 << 53) ORDER BY seq LIMIT ${GROUP}`

const NEXT_PACK = 'SELECT first, codec, text FROM message_pack WHERE session = ? AND first > ? ORDER BY first LIMIT 1'

/**
 * The texts of a conversation, pack by pack: all of a pack as one text in UTF-8, and each by the seq of its message.
 * Passes over damaged packs.
 */
export function* packedTexts(
  store: Readable,
  session: number
): Generator<{ readonly whole: Buffer; readonly split: () => ReadonlyMap<number, StoredText> }> {
  for (let after = 0; ; ) {
    const found = get<PackRow>(store, NEXT_PACK, session, after)
    if (!found) return
    const { first } = found
    const bytes = unpackOrNull(found.codec, found.text)
    if (bytes) yield { whole: bytes, split: () => splitTexts(store, session, first, bytes) }
    after = first
  }
}

/** Stores texts of damaged messages again, by their seqs, in the place of the packs that cannot be read. */
export function replaceTexts(tx: Writable<Readable>, session: number, texts: ReadonlyMap<number, string>): void {
  for (const [seq, text] of texts) {
    const found = get<PackRow>(tx, READ_PACK, session, seq)
    if (
      found &&
      splitTexts(tx, session, found.first, unpackOrNull(found.codec, found.text)).get(found.first)?.damaged
    ) {
      execute(tx, 'DELETE FROM message_pack WHERE session = ? AND first = ?', session, found.first)
      addStoredBytes(tx, session, -found.text.length)
    }
    addStoredBytes(tx, session, insertPack(tx, session, seq, Buffer.from(text)))
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

/** For the migration: packs again what has no checksum. What cannot be unpacked stays damaged. */
export function addChecksums(db: Db): void {
  const tx = { db } as Writable<Readable>
  const sql = 'SELECT session, first, codec, substr(text, 1, 5) AS text FROM message_pack'
  for (const { session, first, codec, text: start } of all<PackRow & { session: number }>(tx, sql)) {
    if (codec !== RAW && hasChecksum(start)) continue
    const { text: stored } = get<PackRow>(tx, READ_PACK, session, first) as PackRow
    const bytes = unpackOrNull(codec, stored)
    if (!bytes) continue
    execute(tx, 'DELETE FROM message_pack WHERE session = ? AND first = ?', session, first)
    addStoredBytes(tx, session, insertPack(tx, session, first, bytes) - stored.length)
  }
}
