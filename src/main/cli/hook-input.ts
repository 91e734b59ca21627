/**
 * The event on a hook's stdin, one JSON object, in bounded memory: of very long strings only the start and the end are
 * kept while they are read, and a person reads that something was left out. The object ends the event, also for an agent
 * that keeps its end of the pipe open; input with anything else is none.
 */
import { leftOut } from '../engine/agents/truncate-texts.ts'

/** Kept at either end of a string, bytes: more than truncateTexts keeps. */
const END_BYTES = 4 * 1024 * 1024
/** For the ends of long strings: the first takes at most half of it, each later one half of the rest, bytes. */
const ROOM_BYTES = 4 * END_BYTES
/** Kept at either end of a string when there is no room left, bytes. */
const LEAST_BYTES = 1024
/** More is not an event, bytes. */
const MAX_BYTES = 64 * 1024 * 1024
/** What a pipe holds at most. */
const BLOCK_BYTES = 64 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const OPENING = [0x7b, 0x5b]
const CLOSING = [0x7d, 0x5d]

/** A part of a string, in the first `size` bytes; `isEscaped`: a backslash is before its first byte. */
interface Block {
  readonly bytes: Buffer
  size: number
  readonly isEscaped: boolean
}

export class HookInput {
  readonly #maxEndBytes: number
  readonly #maxBytes: number
  #kept: Buffer[] = []
  #size = 0
  #isRefused = false
  /** Objects and arrays that are open. */
  #depth = 0
  #isComplete = false
  #isInString = false
  #isEscaped = false
  /** Length of the present string so far, bytes. */
  #length = 0
  /** Kept at either end of the present string, bytes. */
  #endBytes: number
  /** The end of the present string, once its start is kept. */
  #tail: Block[] = []
  #tailSize = 0
  /** Of a block that left the tail: without reuse, what is only read through would take memory until it is collected. */
  #free: Buffer | undefined
  #isCut = false

  constructor(endBytes = END_BYTES, maxBytes = MAX_BYTES) {
    this.#maxEndBytes = this.#endBytes = endBytes
    this.#maxBytes = maxBytes
  }

  /** Whether the object has ended. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#isRefused
  }

  /** False when it is no event, or too much to be one: then it keeps none. The caller may use `chunk` again. */
  add(chunk: Buffer): boolean {
    if (this.#isRefused) return false
    /** What is before it is kept or in the tail. */
    let done = 0
    for (let at = 0; at < chunk.length; ) {
      if (!this.#isInString) {
        const open = chunk.indexOf(QUOTE, at)
        if (!this.#isOneObject(chunk, at, open === -1 ? chunk.length : open, open !== -1)) return this.#refuse()
        at = open === -1 ? chunk.length : open + 1
        if (open !== -1) this.#startString()
        continue
      }
      const isEscaped = this.#isEscaped
      const close = this.#closingQuote(chunk, at)
      const end = close === -1 ? chunk.length : close
      const start = Math.min(end, at + Math.max(0, this.#endBytes - this.#length))
      this.#length += end - at
      if (start < end) {
        this.#keep(Buffer.from(chunk.subarray(done, start)))
        this.#addToTail(chunk.subarray(start, end), start === at && isEscaped)
        done = end
      }
      at = end
      if (close !== -1) {
        this.#endString()
        at++
      }
    }
    this.#keep(Buffer.from(chunk.subarray(done)))
    return this.#size > this.#maxBytes ? this.#refuse() : true
  }

  /** What was read; nothing if it is no event. */
  bytes(): Buffer {
    const bytes = Buffer.concat(this.#kept)
    this.#kept = [bytes]
    return bytes
  }

  #refuse(): false {
    this.#isRefused = true
    this.#kept = this.#tail = []
    return false
  }

  /** Follows the brackets outside of strings in [from, to). False for anything before or after the one object. */
  #isOneObject(chunk: Buffer, from: number, to: number, isBeforeString: boolean): boolean {
    for (let at = from; at < to; at++) {
      const byte = chunk[at] as number
      if (byte <= SPACE) continue
      if (this.#isComplete) return false
      if (OPENING.includes(byte)) this.#depth++
      else if (this.#depth === 0) return false
      else if (CLOSING.includes(byte)) this.#isComplete = --this.#depth === 0
    }
    return this.#depth > 0 || !isBeforeString
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#kept.push(bytes)
    this.#size += bytes.length
  }

  #addToTail(bytes: Buffer, isEscaped: boolean): void {
    let block = this.#tail.at(-1)
    if (!block || block.size + bytes.length > block.bytes.length) {
      const fits = this.#free && this.#free.length >= bytes.length
      const room = fits ? (this.#free as Buffer) : Buffer.allocUnsafe(Math.max(BLOCK_BYTES, bytes.length))
      this.#free = undefined
      block = { bytes: room, size: 0, isEscaped }
      this.#tail.push(block)
    }
    block.size += bytes.copy(block.bytes, block.size)
    this.#tailSize += bytes.length
    for (let [first] = this.#tail; first && this.#tailSize - first.size > this.#endBytes; [first] = this.#tail) {
      this.#tailSize -= first.size
      this.#free = first.bytes
      this.#tail.shift()
      this.#isCut = true
    }
  }

  #startString(): void {
    this.#isInString = true
    this.#length = 0
    this.#endBytes = Math.min(this.#maxEndBytes, Math.max(LEAST_BYTES, Math.floor((ROOM_BYTES - this.#size) / 4)))
  }

  #endString(): void {
    const parts = this.#tail.map(({ bytes, size }) => bytes.subarray(0, size))
    const [first, ...others] = parts
    if (first && this.#isCut) {
      const start = this.#kept.at(-1) as Buffer
      // Half of `\u0041`: a letter after it would make it invalid.
      const half = /\\u[\da-f]{0,3}$/i.exec(start.subarray(-5).toString('latin1'))
      if (half) this.#kept.splice(-1, 1, start.subarray(0, -half[0].length))
      // The letter completes an escape sequence that the cut leaves behind.
      this.#keep(Buffer.from(`n${leftOut(this.#length - this.#endBytes - this.#tailSize)}`))
      this.#keep(this.#tail[0]?.isEscaped ? first.subarray(1) : first)
    } else if (first) this.#keep(first)
    for (const bytes of others) this.#keep(bytes)
    this.#tail = []
    this.#tailSize = 0
    this.#isCut = false
    this.#isInString = false
  }

  /** Offset of the quote that ends the present string, -1 if it continues after `chunk`. */
  #closingQuote(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote === -1 ? chunk.length : quote
      let slashes = 0
      while (end - slashes > at && chunk[end - slashes - 1] === BACKSLASH) slashes++
      if (quote === -1) this.#isEscaped = slashes % 2 === 1
      if (quote === -1 || slashes % 2 === 0) return quote
      at = quote + 1
    }
  }
}
