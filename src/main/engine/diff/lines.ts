/**
 * Splits content into lines, byte ranges that end after a line feed. Nothing is decoded, so every byte is preserved.
 */

const LINE_FEED = 10

/** The code unit of a text: a byte, or with a UTF-16 byte order mark two bytes. It determines what a line feed is. */
export type LineUnit = 'byte' | 'utf-16le' | 'utf-16be'

export interface Lines {
  readonly bytes: Buffer
  readonly unit: LineUnit
  readonly count: number
  /** Offset of each line; `starts[count]` is the length of the content. */
  readonly starts: Uint32Array
}

/** Determined by the byte order mark alone. Content with an odd length is not UTF-16. */
export function lineUnit(bytes: Uint8Array): LineUnit {
  if (bytes.length % 2 === 1) return 'byte'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'byte'
}

/**
 * The common unit of several contents, without which their lines cannot be in one file; null if they differ. Empty
 * content fits any.
 */
export function commonUnit(contents: readonly Uint8Array[]): LineUnit | null {
  const units = new Set(contents.filter((bytes) => bytes.length > 0).map(lineUnit))
  return units.size > 1 ? null : (units.values().next().value ?? 'byte')
}

/**
 * Splits after each line feed only; a lone carriage return stays inside its line. A last line may lack its line feed.
 */
export function splitLines(bytes: Uint8Array): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const unit = lineUnit(buffer)
  const starts = unit === 'byte' ? lineStarts(buffer) : wideLineStarts(buffer, unit)
  return { bytes: buffer, unit, count: starts.length - 1, starts }
}

function lineStarts(buffer: Buffer): Uint32Array {
  // Plain loops: for short lines one indexOf call per line is many times slower. Counted first, so that a large text
  // takes no more memory than its result.
  let lineFeeds = 0
  for (let at = 0; at < buffer.length; at++) if (buffer[at] === LINE_FEED) lineFeeds++
  const isLastLineOpen = buffer.length > 0 && !endsInLineFeed(buffer)
  const starts = new Uint32Array(1 + lineFeeds + Number(isLastLineOpen))
  let line = 1
  for (let at = 0; at < buffer.length; at++) if (buffer[at] === LINE_FEED) starts[line++] = at + 1
  if (isLastLineOpen) starts[line] = buffer.length
  return starts
}

/** Compares whole units: the byte 0x0A is also half of other characters. */
function wideLineStarts(buffer: Buffer, unit: 'utf-16le' | 'utf-16be'): Uint32Array {
  const starts = [0]
  const high = unit === 'utf-16le' ? 1 : 0
  for (let at = 0; at + 1 < buffer.length; at += 2)
    if (buffer[at + high] === 0 && buffer[at + 1 - high] === LINE_FEED) starts.push(at + 2)
  if (starts.at(-1) !== buffer.length) starts.push(buffer.length)
  return Uint32Array.from(starts)
}

/** For content with unit `byte`. Only the last line of a file can lack a line feed. */
export function endsInLineFeed(bytes: Uint8Array): boolean {
  return bytes[bytes.length - 1] === LINE_FEED
}

/** The line as a string with one character per unit: a lossless key for maps, which ends with "\n" if the line does. */
export function lineKey({ bytes, unit, starts }: Lines, line: number): string {
  const [from, to] = [starts[line], starts[line + 1]]
  if (unit === 'byte') return bytes.toString('latin1', from, to)
  const units = unit === 'utf-16le' ? bytes.subarray(from, to) : Buffer.from(bytes.subarray(from, to)).swap16()
  return units.toString('utf16le')
}

/** The bytes of lines given by their keys; the inverse of `lineKey`. */
export function bytesOfKeys(keys: readonly string[], unit: LineUnit): Buffer {
  const text = keys.join('')
  if (unit === 'byte') return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return unit === 'utf-16le' ? bytes : bytes.swap16()
}

/** Compares two lines with the same unit by their bytes. */
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
