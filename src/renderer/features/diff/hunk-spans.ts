/** The line range of each hunk in the later text, and the hunk a line belongs to. Pure. */
import type { TextHunk } from '../../../contract/diff.ts'

/** Lines of the later text, 1-based and inclusive. A deletion has no lines there; the line above it stands for it. */
export interface Span {
  readonly first: number
  readonly last: number
}

export function spanOfHunk({ newFrom, newTo }: TextHunk): Span {
  const first = Math.max(1, newTo > newFrom ? newFrom + 1 : newFrom)
  return { first, last: Math.max(first, newTo) }
}

/** The same of a change that the editor found. */
export function spanOf(change: Readonly<Record<'modifiedStartLineNumber' | 'modifiedEndLineNumber', number>>): Span {
  const first = Math.max(1, change.modifiedStartLineNumber)
  return { first, last: Math.max(first, change.modifiedEndLineNumber) }
}

/**
 * Index of the hunk a line belongs to: the last one that starts at or above it, else the first; -1 if there are none.
 */
export function spanAt(spans: readonly Span[], line: number): number {
  const after = spans.findIndex((span) => span.first > line)
  return after < 0 ? spans.length - 1 : Math.max(0, after - 1)
}

/** Whether engine and editor number lines alike: only Monaco ends a line at a lone carriage return. */
export function hasEditorLines(before: string, after: string): boolean {
  return !/\r(?!\n)/.test(before) && !/\r(?!\n)/.test(after)
}

/** The hunks or lines, or none if line numbers differ between engine and editor. */
export function onEditorLines<T>(hunks: readonly T[], before: string, after: string): readonly T[] {
  return hasEditorLines(before, after) ? hunks : []
}
