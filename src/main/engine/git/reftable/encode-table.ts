/** Writes one table of a few refs and log lines, as git reads it. */
import { crc32, deflateSync } from 'node:zlib'
import type { LogRecord } from './table.ts'

export interface TableContent {
  readonly idBytes: 20 | 32
  /** Of the transaction. Its log lines may count on from there. */
  readonly index: number
  /** Values as `RefStack.ref` has them; '' deletes. */
  readonly refs: ReadonlyMap<string, string>
  readonly logs: readonly (LogRecord & { readonly name: string })[]
}

const LARGEST_ID = 2n ** 64n - 1n

/** One block of refs, one of logs. Throws if they are larger than the format allows (16 MB), or a line is no reflog line. */
export function encodeTable({ idBytes, index, refs, logs }: TableContent): Buffer {
  const header = encodeHeader(idBytes, index, Math.max(index, ...logs.map((log) => log.index)))
  const refRecords = sorted([...refs].map(([name, value]) => [Buffer.from(name), ...refValue(value)] as const))
  const logRecords = sorted(logs.map((log) => [logKey(log), ...logValue(log.line)] as const))
  const refBlock = refRecords.length > 0 ? encodeBlock('r', header.length, refRecords) : Buffer.alloc(0)
  const logStart = refBlock.length > 0 ? header.length + refBlock.length : 0
  const logBlock =
    logRecords.length > 0 ? packed(encodeBlock('g', logStart === 0 ? header.length : 0, logRecords)) : Buffer.alloc(0)
  const positions = Buffer.alloc(40)
  if (logBlock.length > 0) positions.writeBigUInt64BE(BigInt(logStart), 24)
  const footer = Buffer.concat([header, positions])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(footer))
  return Buffer.concat([header, refBlock, logBlock, footer, sum])
}

type EncodedRecord = readonly [key: Buffer, type: number, value: Buffer]

function sorted(records: EncodedRecord[]): EncodedRecord[] {
  return records.sort(([a], [b]) => a.compare(b))
}

/** Blocks are not aligned, so that their size is not said. */
function encodeHeader(idBytes: 20 | 32, min: number, max: number): Buffer {
  const header = Buffer.alloc(idBytes === 20 ? 24 : 28)
  header.write('REFT')
  header[4] = idBytes === 20 ? 1 : 2
  header.writeBigUInt64BE(BigInt(min), 8)
  header.writeBigUInt64BE(BigInt(max), 16)
  if (idBytes === 32) header.write('s256', 24)
  return header
}

/** `before`: bytes in the file before it that count as its own. Each key is whole, so each record is a restart. */
function encodeBlock(type: 'r' | 'g', before: number, records: readonly EncodedRecord[]): Buffer {
  const parts = records.map(([key, kind, value]) =>
    Buffer.concat([varint(0), varint(key.length * 8 + kind), key, value])
  )
  const restarts = Buffer.alloc(3 * parts.length + 2)
  let at = before + 4
  for (const [n, part] of parts.entries()) {
    restarts.writeUIntBE(at, 3 * n, 3)
    at += part.length
  }
  restarts.writeUInt16BE(parts.length, 3 * parts.length)
  const head = Buffer.alloc(4)
  head.write(type)
  head.writeUIntBE(at + restarts.length, 1, 3)
  return Buffer.concat([head, ...parts, restarts])
}

function packed(block: Buffer): Buffer {
  return Buffer.concat([block.subarray(0, 4), deflateSync(block.subarray(4))])
}

/** The transaction is that of the table. */
function refValue(value: string): [number, Buffer] {
  const ownIndex = varint(0)
  if (value === '') return [0, ownIndex]
  const target = /^ref: (.+)$/s.exec(value)?.[1]
  if (target === undefined) return [1, Buffer.concat([ownIndex, Buffer.from(value, 'hex')])]
  return [3, Buffer.concat([ownIndex, text(Buffer.from(target))])]
}

function logKey({ name, index }: { readonly name: string; readonly index: number }): Buffer {
  const reversed = Buffer.alloc(8)
  reversed.writeBigUInt64BE(LARGEST_ID - BigInt(index))
  return Buffer.concat([Buffer.from(`${name}\0`), reversed])
}

function logValue(line: string | null): [number, Buffer] {
  if (line === null) return [0, Buffer.alloc(0)]
  const fields = /^([0-9a-f]+) ([0-9a-f]+) (.*) <(.*)> (\d+) ([+-]\d{4})(?:\t(.*))?$/s.exec(line)
  if (!fields) throw new Error('This is no line of a reflog.')
  const [, from = '', to = '', name = '', mail = '', time = '', zone = '', message = ''] = fields
  const minutes = Buffer.alloc(2)
  minutes.writeInt16BE(Number(zone))
  const latin = (value: string): Buffer => text(Buffer.from(value, 'latin1'))
  const ids = [Buffer.from(from, 'hex'), Buffer.from(to, 'hex')]
  const ended = message === '' ? '' : `${message}\n`
  return [1, Buffer.concat([...ids, latin(name), latin(mail), varint(Number(time)), minutes, latin(ended)])]
}

function text(bytes: Buffer): Buffer {
  return Buffer.concat([varint(bytes.length), bytes])
}

/** The lowest seven bits last; each byte before counts from one. */
function varint(value: number): Buffer {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift(0x80 + (rest % 128))
  }
  return Buffer.from(bytes)
}
