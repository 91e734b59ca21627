/** Reads one block of a table: records sorted by key, each sharing the start of its key with the record before. */
import { inflateSync } from 'node:zlib'
import { Cursor, type TableSource, UnreadableTable } from './source.ts'

/** `r` refs, `g` logs, `i` the index of either. Blocks of object ids, `o`, are not needed. */
export type BlockType = 'r' | 'g' | 'i' | 'o'

export interface TableShape {
  readonly source: TableSource
  /** Bytes before the first block, which counts them as its own. */
  readonly headerBytes: number
  /** Blocks but those of logs begin at multiples of this; 0: each follows the one before. */
  readonly blockSize: number
  /** Where the footer begins. */
  readonly end: number
}

export interface Block {
  readonly type: BlockType
  /** Position of the block after it. */
  readonly next: number
  /** Its records, without the list of restarts. */
  readonly records: Cursor
}

const HEAD_BYTES = 4

/** Throws UnreadableTable. */
export function readBlock(shape: TableShape, at: number): Block {
  const skipped = at === 0 ? shape.headerBytes : 0
  const first = skipped + HEAD_BYTES
  const head = shape.source.read(at, first)
  const type = String.fromCharCode(head[skipped] as number)
  const length = head.readUIntBE(skipped + 1, 3)
  if (!isBlockType(type)) throw new UnreadableTable('a block is of an unknown kind')
  if (type === 'g') return inflated(shape, at, head, length)
  const bytes = shape.source.read(at, length)
  return { type, next: nextOf(shape, at, length), records: recordsIn(bytes, first) }
}

function isBlockType(type: string): type is BlockType {
  return ['r', 'g', 'i', 'o'].includes(type)
}

/** Padding is zeros; no block begins with one. */
function nextOf({ source, blockSize, end }: TableShape, at: number, length: number): number {
  const follows = at + length
  if (blockSize <= length || follows >= end || source.read(follows, 1)[0] !== 0) return follows
  return at + blockSize
}

/** A block of logs is compressed behind its head. Only zlib knows how long it is. */
function inflated({ source, end }: TableShape, at: number, head: Buffer, length: number): Block {
  const from = at + head.length
  const most = Math.min(end - from, length + Math.ceil(length / 100) + 64)
  let unpacked: { buffer: Buffer; engine: { bytesWritten: number } }
  try {
    // The types do not know this form of the result.
    unpacked = inflateSync(source.read(from, most), { info: true, maxOutputLength: length }) as never
  } catch (error) {
    if (error instanceof UnreadableTable) throw error
    throw new UnreadableTable('a block of logs is damaged')
  }
  const bytes = Buffer.concat([head, unpacked.buffer])
  if (bytes.length !== length) throw new UnreadableTable('a block of logs has another length than it says')
  return { type: 'g', next: from + unpacked.engine.bytesWritten, records: recordsIn(bytes, head.length) }
}

/** Behind the records are the positions of some of them, three bytes each, and their number. */
function recordsIn(bytes: Buffer, first: number): Cursor {
  const count = bytes.length >= first + 2 ? bytes.readUInt16BE(bytes.length - 2) : 0
  const end = bytes.length - 2 - 3 * count
  if (count === 0 || end <= first || bytes.readUIntBE(end, 3) !== first)
    throw new UnreadableTable('the records of a block are damaged')
  return new Cursor(bytes, first, end)
}

/** `value` reads what follows the key, and nothing more. Keys ascend. Throws UnreadableTable. */
export function* recordsOf<T>(
  { records }: Block,
  value: (fields: Cursor, type: number, key: Buffer) => T
): Generator<readonly [Buffer, T]> {
  let last = Buffer.alloc(0)
  while (!records.isAtEnd) {
    const shared = records.varint()
    const kind = records.varint()
    if (shared > last.length) throw new UnreadableTable('a key is damaged')
    const key = Buffer.concat([last.subarray(0, shared), records.take(Math.floor(kind / 8))])
    if (key.compare(last) <= 0) throw new UnreadableTable('keys are not in their order')
    last = key
    yield [key, value(records, kind % 8, key)]
  }
}
