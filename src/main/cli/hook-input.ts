/**
 * The event on a hook's stdin, in bounded memory: of a very long JSON string only the start and the end are kept while it
 * is read. truncateTexts then shortens the rest, and a person reads that something was left out.
 */

/** Kept at either end of a string, bytes: more than truncateTexts keeps. */
const END_BYTES = 6 * 1024 * 1024
/** More is not an event, bytes. */
const MAX_BYTES = 64 * 1024 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Between start and end. It also completes an escape sequence that the cut leaves behind. */
const JOIN = Buffer.from('n')

/** A piece of a string; `isEscaped`: a backslash is before its first byte. */
interface Piece {
  readonly bytes: Buffer
  readonly isEscaped: boolean
}

export class HookInput {
  readonly #endBytes: number
  readonly #maxBytes: number
  readonly #kept: Buffer[] = []
  #size = 0
  #isInString = false
  #isEscaped = false
  /** Length of the present string so far, bytes. */
  #length = 0
  /** The end of the present string, once its start is kept. */
  #tail: Piece[] = []
  #tailSize = 0
  #isCut = false

  constructor(endBytes = END_BYTES, maxBytes = MAX_BYTES) {
    this.#endBytes = endBytes
    this.#maxBytes = maxBytes
  }

  /** False when it is too much to be an event. */
  add(chunk: Buffer): boolean {
    /** What is before it is kept or in the tail. */
    let done = 0
    for (let at = 0; at < chunk.length; ) {
      if (!this.#isInString) {
        const open = chunk.indexOf(QUOTE, at)
        at = open === -1 ? chunk.length : open + 1
        this.#isInString = open !== -1
        this.#length = 0
        continue
      }
      const isEscaped = this.#isEscaped
      const close = this.#closingQuote(chunk, at)
      const end = close === -1 ? chunk.length : close
      const start = Math.min(end, at + Math.max(0, this.#endBytes - this.#length))
      this.#length += end - at
      if (start < end) {
        this.#keep(chunk.subarray(done, start))
        this.#addToTail({ bytes: chunk.subarray(start, end), isEscaped: start === at && isEscaped })
        done = end
      }
      at = end
      if (close !== -1) {
        this.#endString()
        at++
      }
    }
    this.#keep(chunk.subarray(done))
    return this.#size <= this.#maxBytes
  }

  /** What was read. */
  bytes(): Buffer {
    return Buffer.concat(this.#kept)
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#kept.push(bytes)
    this.#size += bytes.length
  }

  #addToTail(piece: Piece): void {
    this.#tail.push(piece)
    this.#tailSize += piece.bytes.length
    for (
      let [first] = this.#tail;
      first && this.#tailSize - first.bytes.length > this.#endBytes;
      [first] = this.#tail
    ) {
      this.#tailSize -= first.bytes.length
      this.#tail.shift()
      this.#isCut = true
    }
  }

  #endString(): void {
    const [first, ...others] = this.#tail
    if (first && this.#isCut) {
      const start = this.#kept.at(-1) as Buffer
      // Half of `\u0041`: a letter after it would make it invalid.
      const half = /\\u[\da-f]{0,3}$/i.exec(start.subarray(-5).toString('latin1'))
      if (half) this.#kept.splice(-1, 1, start.subarray(0, -half[0].length))
      this.#keep(JOIN)
      this.#keep(first.isEscaped ? first.bytes.subarray(1) : first.bytes)
    } else if (first) this.#keep(first.bytes)
    for (const { bytes } of others) this.#keep(bytes)
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
