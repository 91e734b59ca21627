/**
 * Reads one table of refs and their logs (git's technical documentation, "reftable"): header, blocks of refs, blocks of logs,
 * each maybe with an index, and a footer. A table is never rewritten.
 */
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Block, type BlockType, readBlock, recordsOf, type TableShape } from './block.ts'
import { type Cursor, type TableSource, UnreadableTable } from './source.ts'

/** A change of a ref, by the number of the transaction that made it. */
export interface LogRecord {
  readonly index: number
  /** A line of a reflog, as files have it, in latin1; null: deleted, or a mark that the log exists. */
  readonly line: string | null
}

export interface Table {
  /** Length of object ids, bytes. */
  readonly idBytes: 20 | 32
  /** Of the last transaction that is in it. */
  readonly maxIndex: number
  /** An object id, or `ref: NAME`; '' = deleted; null: the table does not say. */
  ref(name: string): string | null
  /** All that `ref` knows. */
  refs(): ReadonlyMap<string, string>
  /** Newest first. */
  log(name: string): Generator<LogRecord>
}

interface Section {
  readonly type: BlockType
  /** Null without such blocks. */
  readonly start: number | null
  /** Of its index; 0 without one. */
  readonly index: number
}

/** Positions that the footer names. */
interface Parts {
  readonly shape: TableShape
  readonly refs: Section
  readonly logs: Section
  readonly idBytes: 20 | 32
  readonly maxIndex: number
}

const MAGIC = Buffer.from('REFT')
/** By version: bytes before the first block. The footer repeats them, before five positions and a checksum. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 1: 24, 2: 28 }
const POSITIONS_BYTES = 40
/** Levels of an index that any table has. */
const MOST_LEVELS = 10

/** Throws UnreadableTable, then or when it is read. */
export function openTable(source: TableSource): Table {
  const parts = readFooter(source)
  const { idBytes } = parts
  let all: Map<string, string> | null = null
  const refValue = (fields: Cursor, type: number): string => readRefValue(fields, type, idBytes)
  const logValue = (fields: Cursor, type: number, key: Buffer): LogRecord => readLogValue(fields, type, key, idBytes)
  return {
    idBytes,
    maxIndex: parts.maxIndex,
    ref: (name) => {
      if (all) return all.get(name) ?? null
      const wanted = Buffer.from(name)
      for (const [key, value] of scan(parts.shape, parts.refs, wanted, refValue))
        return key.equals(wanted) ? value : null
      return null
    },
    refs: () => {
      // Another name could not be written as it was.
      all ??= new Map(
        [...scan(parts.shape, parts.refs, null, refValue)].flatMap(([key, value]) =>
          isUtf8(key) ? [[key.toString('utf8'), value] as const] : []
        )
      )
      return all
    },
    log: function* (name) {
      const start = Buffer.from(`${name}\0`)
      for (const [key, record] of scan(parts.shape, parts.logs, start, logValue)) {
        if (!key.subarray(0, start.length).equals(start)) return
        yield record
      }
    }
  }
}

function readFooter(source: TableSource): Parts {
  const start = source.read(0, Math.min(source.size, 28))
  const version = start[4] ?? 0
  const headerBytes = HEADER_BYTES[version]
  if (!start.subarray(0, 4).equals(MAGIC) || headerBytes === undefined)
    throw new UnreadableTable(`not a table, or of the unknown version ${version}`)
  const length = headerBytes + POSITIONS_BYTES + 4
  const end = source.size - length
  if (end < headerBytes) throw new UnreadableTable('the file is cut off')
  const footer = source.read(end, length)
  const sum = footer.readUInt32BE(length - 4)
  if (!footer.subarray(0, headerBytes).equals(start.subarray(0, headerBytes)) || crc32(footer.subarray(0, -4)) !== sum)
    throw new UnreadableTable('the file is cut off or damaged')
  const position = (n: number): number => toNumber(footer.readBigUInt64BE(headerBytes + 8 * n))
  const first = end === headerBytes ? '' : String.fromCharCode(source.read(headerBytes, 1)[0] as number)
  const logStart = position(3)
  return {
    shape: { source, headerBytes, blockSize: footer.readUIntBE(5, 3), end },
    refs: { type: 'r', start: first === 'r' ? 0 : null, index: position(0) },
    logs: { type: 'g', start: first === 'g' ? 0 : logStart || null, index: position(4) },
    idBytes: version === 1 ? 20 : idBytesOf(footer.toString('latin1', 24, 28)),
    maxIndex: toNumber(footer.readBigUInt64BE(16))
  }
}

function idBytesOf(format: string): 20 | 32 {
  if (format === 'sha1') return 20
  if (format === 's256') return 32
  throw new UnreadableTable('the object ids are of an unknown format')
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnreadableTable('a number is too large')
  return Number(value)
}

/** All records of a section from the key `from` on, in their order. */
function* scan<T>(
  shape: TableShape,
  section: Section,
  from: Buffer | null,
  value: (fields: Cursor, type: number, key: Buffer) => T
): Generator<readonly [Buffer, T]> {
  let at = from === null ? section.start : blockWith(shape, section, from)
  while (at !== null && at < shape.end) {
    const block: Block = readBlock(shape, at)
    if (block.type !== section.type) return
    for (const record of recordsOf(block, value)) if (from === null || record[0].compare(from) >= 0) yield record
    at = block.next
  }
}

/** Where the first block begins that has no key before `key`, or the one before it; null if all keys are before it. */
function blockWith(shape: TableShape, section: Section, key: Buffer): number | null {
  if (section.start === null || section.index === 0) return section.start
  let at = section.index
  for (let level = 0; level < MOST_LEVELS; level++) {
    const block = readBlock(shape, at)
    if (block.type === section.type) return at
    if (block.type !== 'i') throw new UnreadableTable('an index leads to another kind of block')
    const found = firstFrom(block, key)
    if (found === null) return null
    at = found
  }
  throw new UnreadableTable('an index leads nowhere')
}

/** The index names the last key of each block. */
function firstFrom(block: Block, key: Buffer): number | null {
  for (const [last, position] of recordsOf(block, (fields) => fields.varint()))
    if (last.compare(key) >= 0) return position
  return null
}

function readRefValue(fields: Cursor, type: number, idBytes: number): string {
  // The transaction of the change, which no reader needs.
  fields.varint()
  if (type === 0) return ''
  if (type === 3) return `ref: ${fields.text().toString('utf8')}`
  if (type > 3) throw new UnreadableTable('a ref is of an unknown kind')
  const id = fields.take(idBytes).toString('hex')
  // What an annotated tag points to.
  if (type === 2) fields.take(idBytes)
  return id
}

const INDEX_BYTES = 8

function readLogValue(fields: Cursor, type: number, key: Buffer, idBytes: number): LogRecord {
  if (key.length <= INDEX_BYTES || type > 1) throw new UnreadableTable('a record of a log is damaged')
  // Stored so that the newest comes first.
  const index = toNumber(2n ** 64n - 1n - key.readBigUInt64BE(key.length - INDEX_BYTES))
  if (type === 0) return { index, line: null }
  const [from, to] = [fields.take(idBytes), fields.take(idBytes)]
  const [name, mail] = [fields.text().toString('latin1'), fields.text().toString('latin1')]
  const time = fields.varint()
  const zone = fields.take(2).readInt16BE()
  const message = fields.text().toString('latin1').replace(/\n+$/, '')
  const isMark = from.every((byte) => byte === 0) && to.every((byte) => byte === 0)
  const line = `${from.toString('hex')} ${to.toString('hex')} ${name} <${mail}> ${time} ${zoneText(zone)}`
  return { index, line: isMark ? null : message === '' ? line : `${line}\t${message}` }
}

/** Git stores the digits of `-0530` as the number -530. */
function zoneText(zone: number): string {
  return `${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(4, '0')}`
}
