/** Random access to the bytes of one table: in memory, or in an open file of which only the needed blocks are read. */
import { readSync } from 'node:fs'

export interface TableSource {
  readonly size: number
  /** Throws UnreadableTable beyond the end. */
  read(at: number, length: number): Buffer
}

/** The bytes are no table that this version can read: cut off, damaged, or of another format. */
export class UnreadableTable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnreadableTable'
  }
}

export function bufferSource(bytes: Buffer): TableSource {
  return {
    size: bytes.length,
    read: (at, length) => {
      checkRange(at, length, bytes.length)
      return bytes.subarray(at, at + length)
    }
  }
}

/** `fd` stays open while the source is used. */
export function fileSource(fd: number, size: number): TableSource {
  return {
    size,
    read: (at, length) => {
      checkRange(at, length, size)
      const bytes = Buffer.allocUnsafe(length)
      for (let done = 0; done < length; ) {
        const n = readSync(fd, bytes, done, length - done, at + done)
        if (n === 0) throw new UnreadableTable('the file became shorter')
        done += n
      }
      return bytes
    }
  }
}

function checkRange(at: number, length: number, size: number): void {
  if (!(at >= 0 && length >= 0 && at + length <= size)) throw new UnreadableTable('a block leads beyond the file')
}

/** Reads fields one after the other. Each throws UnreadableTable beyond the end. */
export class Cursor {
  private readonly bytes: Buffer
  private readonly end: number
  at: number

  constructor(bytes: Buffer, at: number, end: number) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  take(length: number): Buffer {
    if (length > this.end - this.at) throw new UnreadableTable('a record leads beyond its block')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  /** The highest bit says that another byte follows; each adds one, as in offsets of packs. */
  varint(): number {
    let byte = this.take(1)[0] as number
    let value = byte & 0x7f
    while (byte & 0x80) {
      byte = this.take(1)[0] as number
      value = (value + 1) * 128 + (byte & 0x7f)
      if (value > Number.MAX_SAFE_INTEGER) throw new UnreadableTable('a number is too large')
    }
    return value
  }

  /** Its length, then its bytes. */
  text(): Buffer {
    return this.take(this.varint())
  }
}
