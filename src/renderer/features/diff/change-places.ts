/** Where the changes of a text stand, and which of them a line belongs to. Pure. */
import type { TextHunk } from '../../../contract/diff.ts'

/** Lines of the later text, 1-based and inclusive. A deletion has none of its own: the line above it stands for it. */
export interface Span {
  readonly first: number
  readonly last: number
}

export function spanOfHunk({ newFrom, newTo }: TextHunk): Span {
  const first = Math.max(1, newTo > newFrom ? newFrom + 1 : newFrom)
  return { first, last: Math.max(first, newTo) }
}

/** Index of the change a line belongs to: the last one that begins at or above it, else the first. -1 without any. */
export function spanAt(spans: readonly Span[], line: number): number {
  const after = spans.findIndex((span) => span.first > line)
  return after < 0 ? spans.length - 1 : Math.max(0, after - 1)
}

/** Changes whose lines are the lines an editor shows: it also ends a line at a lone carriage return. */
export function placeable(hunks: readonly TextHunk[], before: string, after: string): readonly TextHunk[] {
  return /\r(?!\n)/.test(before) || /\r(?!\n)/.test(after) ? [] : hunks
}
