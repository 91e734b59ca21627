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
  const buffer = asBuffer(bytes)
  const unit = lineUnit(buffer)
  const starts = unit === 'byte' ? lineStarts(buffer) : wideLineStarts(buffer, unit)
  return { bytes: buffer, unit, count: starts.length - 1, starts }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Bytes. Shorter texts are split as fast as they are compared. */
const LONG_TEXT = 1 << 20

/** The lines of both texts. */
export function splitBoth(before: Uint8Array, after: Uint8Array): [Lines, Lines] {
  const old = splitLines(before)
  return [old, splitLike(old, after)]
}

/** The lines of a text that resembles `old`: those at both ends that they have in common are not searched again. */
export function splitLike(old: Lines, text: Uint8Array): Lines {
  const isLong = Math.min(old.bytes.length, text.length) > LONG_TEXT
  if (!isLong || old.unit !== 'byte' || lineUnit(text) !== 'byte') return splitLines(text)
  const bytes = asBuffer(text)
  const starts = startsLike(old, bytes)
  return { bytes, unit: 'byte', count: starts.length - 1, starts }
}

/** How many bytes two contents have in common at their starts, and of the rest at their ends. */
export function commonEnds(before: Uint8Array, after: Uint8Array): { readonly head: number; readonly tail: number } {
  const [old, bytes] = [asBuffer(before), asBuffer(after)]
  const shorter = Math.min(old.length, bytes.length)
  const head = longest(shorter, (from, to) => bytes.compare(old, from, to, from, to) === 0)
  const moved = bytes.length - old.length
  const isSame = (from: number, to: number) => bytes.compare(old, from, to, from + moved, to + moved) === 0
  const tail = longest(shorter - head, (from, to) => isSame(old.length - to, old.length - from))
  return { head, tail }
}

/**
 * Both texts without the whole lines that they have in common at their ends; all of them where a line feed is not one byte.
 * Mostly these are few lines, so that the others need not be searched.
 */
export function splitDifferent(before: Uint8Array, after: Uint8Array): [Lines, Lines] {
  const [old, now] = [asBuffer(before), asBuffer(after)]
  if (lineUnit(old) !== 'byte' || lineUnit(now) !== 'byte') return splitBoth(old, now)
  const { head, tail } = commonEnds(old, now)
  const from = head === 0 ? 0 : old.lastIndexOf(LINE_FEED, head - 1) + 1
  const lineFeed = old.indexOf(LINE_FEED, old.length - tail)
  const kept = lineFeed === -1 ? 0 : old.length - lineFeed - 1
  return [byteLines(old.subarray(from, old.length - kept)), byteLines(now.subarray(from, now.length - kept))]
}

/** By bytes even if it begins like UTF-16: it is a part of a text that does not. */
function byteLines(bytes: Buffer): Lines {
  const starts = lineStarts(bytes)
  return { bytes, unit: 'byte', count: starts.length - 1, starts }
}

/** Where the lines of `bytes` start, as `lineStarts`. */
function startsLike({ bytes: old, starts, count }: Lines, bytes: Buffer): Uint32Array {
  const { head, tail } = commonEnds(old, bytes)
  const moved = bytes.length - old.length
  // Lines of which the line feed before them is in the head, or in the tail. The end of a text is a start behind one only.
  const before = starts.subarray(0, indexAbove(starts, endsInLineFeed(old) ? count + 1 : count, head))
  const after = starts.subarray(indexAbove(starts, count + 1, old.length - tail))
  const from = before[before.length - 1] ?? 0
  const between = lineStarts(bytes.subarray(from, bytes.length - tail)).subarray(1)
  // The end of what is between is no start, unless a line feed or the end of the text is there.
  const isStart = tail === 0 || bytes[bytes.length - tail - 1] === LINE_FEED
  const inBetween = isStart ? between : between.subarray(0, -1)
  const all = new Uint32Array(before.length + inBetween.length + after.length)
  all.set(before)
  for (let n = 0; n < inBetween.length; n++) all[before.length + n] = from + (inBetween[n] as number)
  const rest = before.length + inBetween.length
  for (let n = 0; n < after.length; n++) all[rest + n] = (after[n] as number) + moved
  return all
}

/** The first of `count` starts that is behind `offset`. */
function indexAbove(starts: Uint32Array, count: number, offset: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The greatest n up to `max` for which all of [0, n) is equal. `isEqual` compares a whole range at once, so the ranges
 * double until one differs, and are halved from then on (galloping search).
 */
export function longest(max: number, isEqual: (from: number, to: number) => boolean): number {
  let n = 0
  let step = 1
  let grows = true
  while (n < max && step >= 1) {
    const to = Math.min(n + step, max)
    if (isEqual(n, to)) n = to
    else grows = false
    step = grows ? step * 2 : step >> 1
  }
  return n
}

/** Reused: most texts have fewer lines. */
const SHORT = new Uint32Array(4096)
/** Bytes of a line that are compared one by one. `indexOf` is faster for longer lines, and many times slower for short ones. */
const NEAR = 12

function lineStarts(buffer: Buffer): Uint32Array {
  const { length } = buffer
  let starts = SHORT
  let count = 1
  for (let at = 0; at < length; ) {
    const near = Math.min(at + NEAR, length)
    while (at < near && buffer[at] !== LINE_FEED) at++
    if (at === near) at = buffer.indexOf(LINE_FEED, at)
    if (at === -1 || at === length) break
    // Room for this line and for the end of the text.
    if (count + 1 === starts.length) starts = withRoom(starts)
    starts[count++] = ++at
  }
  if (count === 1 || starts[count - 1] !== length) starts[count++] = length
  return starts.slice(0, length === 0 ? 1 : count)
}

function withRoom(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2)
  larger.set(starts)
  return larger
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

/** Whether `count` lines of two texts with the same unit have the same bytes. */
export function sameLines(a: Lines, fromA: number, b: Lines, fromB: number, count: number): boolean {
  const [startA, endA] = [a.starts[fromA]!, a.starts[fromA + count]!]
  const [startB, endB] = [b.starts[fromB]!, b.starts[fromB + count]!]
  return endA - startA === endB - startB && a.bytes.compare(b.bytes, startB, endB, startA, endA) === 0
}
