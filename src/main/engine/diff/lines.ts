/** Content as lines: byte ranges that end after a line feed. Nothing is decoded, so every byte survives. */

const LINE_FEED = 10

export interface Lines {
  readonly bytes: Buffer
  readonly count: number
  /** Offset of each line; `starts[count]` is the length of the content. */
  readonly starts: Uint32Array
}

/** Splits after each `\n` only; a lone `\r` stays inside its line. A last line may lack its line feed. */
export function splitLines(bytes: Uint8Array): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = endsInLineFeed(buffer)
  // A plain loop: searching anew for each line is many times slower where lines are short.
  let count = ends || buffer.length === 0 ? 0 : 1
  for (let at = 0; at < buffer.length; at++) if (buffer[at] === LINE_FEED) count++
  const starts = new Uint32Array(count + 1)
  let line = 1
  for (let at = 0; line < count; at++) if (buffer[at] === LINE_FEED) starts[line++] = at + 1
  starts[count] = buffer.length
  return { bytes: buffer, count, starts }
}

/** Only the last line can be without. */
export function endsInLineFeed(bytes: Uint8Array): boolean {
  return bytes[bytes.length - 1] === LINE_FEED
}

/** One character per byte: a lossless key for maps. */
export function lineKey(lines: Lines, line: number): string {
  return lines.bytes.toString('latin1', lines.starts[line], lines.starts[line + 1])
}

export function sameLine(a: Lines, lineOfA: number, b: Lines, lineOfB: number): boolean {
  const startA = a.starts[lineOfA]!
  const startB = b.starts[lineOfB]!
  const endA = a.starts[lineOfA + 1]!
  const endB = b.starts[lineOfB + 1]!
  if (endA - startA !== endB - startB) return false
  if (endA - startA > 64) return a.bytes.compare(b.bytes, startB, endB, startA, endA) === 0
  for (let i = endA - startA - 1; i >= 0; i--) if (a.bytes[startA + i] !== b.bytes[startB + i]) return false
  return true
}
