/** Content as lines: byte ranges that end after a line feed. Nothing is decoded, so every byte survives. */

export interface Lines {
  readonly bytes: Buffer
  readonly count: number
  /** Offset of each line; `starts[count]` is the length of the content. */
  readonly starts: Uint32Array
}

/** Splits after each `\n` only; a lone `\r` stays inside its line. A last line may lack its line feed. */
export function splitLines(bytes: Uint8Array): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(10); at !== -1; at = buffer.indexOf(10, at + 1)) count++
  if (buffer.length > 0 && buffer[buffer.length - 1] !== 10) count++
  const starts = new Uint32Array(count + 1)
  for (let line = 1; line < count; line++) starts[line] = buffer.indexOf(10, starts[line - 1]) + 1
  starts[count] = buffer.length
  return { bytes: buffer, count, starts }
}

/** Bytes of one line with its line feed; shares memory with the content. */
export function lineBytes(lines: Lines, line: number): Buffer {
  return lines.bytes.subarray(lines.starts[line], lines.starts[line + 1])
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
  return a.bytes.compare(b.bytes, startB, endB, startA, endA) === 0
}
