/**
 * A text as lines that keep their own line ends (\n, \r\n or \r), and replacing whole lines without changing any other
 * byte.
 */

export interface TextLines {
  readonly text: string
  /**
   * Offsets at which line n begins, and at which it ends, without its line end. Text that ends in a line end has an
   * empty last line.
   */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly count: number
}

/** Replaces the lines [from, to), counted from 0, by `lines`. */
export interface LineChange {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

export function textLines(text: string): TextLines {
  const starts: number[] = [0]
  const ends: number[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 10 && unit !== 13) continue
    ends.push(at)
    if (unit === 13 && text.charCodeAt(at + 1) === 10) at++
    starts.push(at + 1)
  }
  ends.push(text.length)
  return { text, starts: Int32Array.from(starts), ends: Int32Array.from(ends), count: ends.length }
}

export function lineText(lines: TextLines, line: number): string {
  return lines.text.slice(lines.starts[line], lines.ends[line])
}

/** The line at this offset, by binary search. A line end belongs to its line. */
export function lineAt(lines: TextLines, offset: number): number {
  let low = 0
  let high = lines.count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lines.starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The lines of a text without their line ends. */
export function splitText(text: string): string[] {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
}

export function isBlankLine(line: string): boolean {
  return line.trim() === ''
}

/**
 * The text with the changes applied. They must be in order and must not overlap. New lines get the line end of their
 * neighbours.
 */
export function withChanges(lines: TextLines, changes: readonly LineChange[]): string {
  const { text } = lines
  const parts: string[] = []
  let kept = 0
  for (const change of changes) {
    const { from, to, text: put } = replacement(lines, change)
    parts.push(text.slice(kept, from), put)
    kept = to
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

/** A change as offsets. The line end of the last replaced line stays, unless the lines are deleted. */
function replacement(lines: TextLines, { from, to, lines: put }: LineChange) {
  const { starts, ends, count } = lines
  const end = lineEndNear(lines, from)
  if (put.length > 0 && to > from) return { from: starts[from]!, to: ends[to - 1]!, text: put.join(end) }
  if (put.length > 0) {
    if (from < count) return { from: starts[from]!, to: starts[from]!, text: put.map((line) => line + end).join('') }
    return { from: ends[count - 1]!, to: ends[count - 1]!, text: put.map((line) => end + line).join('') }
  }
  if (to < count) return { from: starts[from]!, to: starts[to]!, text: '' }
  return { from: from > 0 ? ends[from - 1]! : 0, to: ends[count - 1]!, text: '' }
}

/** The line end used at or before this line, else the first one in the text. */
function lineEndNear(lines: TextLines, line: number): string {
  for (const near of [line, line - 1, 0]) {
    if (near >= 0 && near < lines.count - 1) return lines.text.slice(lines.ends[near], lines.starts[near + 1])
  }
  return '\n'
}
