/** Spans of a weave: adjacent lines that the same hunks inserted and deleted. Pure. */
import type { ChangedLines, LineRef } from './changed-lines.ts'

/** A text as the weave needs it. */
export interface LineSource {
  /** Lines. */
  readonly count: number
  /** Whether its last line lacks a line feed. */
  readonly endsOpen: boolean
}

/** Lines [from, to) of a text, 0-based. */
export interface Piece<S> {
  readonly source: S
  readonly from: number
  readonly to: number
}

export interface Span<S> extends Piece<S> {
  /** What inserted its first line; each further line is the next one of the same hunk. */
  readonly insertedBy: LineRef
  /** What deleted it, likewise. */
  readonly deletedBy: readonly LineRef[]
  /** Without the hunks that merges have omitted so far. Kept, because every step needs it. */
  readonly visible: boolean
}

export const lengthOf = ({ from, to }: Piece<unknown>): number => to - from

/** The line `n` lines after `ref` in the same hunk. */
export const lineAfter = (ref: LineRef, n: number): LineRef => (n === 0 ? ref : { ...ref, line: ref.line + n })

/** Lines [from, to) of a span, counted from its start. */
export function cut<S>(span: Span<S>, from: number, to: number): Span<S> {
  if (from === 0 && to === lengthOf(span)) return span
  return {
    ...span,
    from: span.from + from,
    to: span.from + to,
    insertedBy: lineAfter(span.insertedBy, from),
    deletedBy: span.deletedBy.map((ref) => lineAfter(ref, from))
  }
}

/** The same lines, cut so that `changes` has all lines of a part or none, of each hunk that inserted or deleted it. */
export function uniform<S>(spans: readonly Span<S>[], changes: ChangedLines): readonly Span<S>[] {
  if (!changes.hasParts()) return spans
  return spans.flatMap((span) => {
    const parts: Span<S>[] = []
    for (let from = 0; from < lengthOf(span); ) {
      const refs = [span.insertedBy, ...span.deletedBy].map((ref) => changes.uniformFrom(lineAfter(ref, from)))
      const to = Math.min(lengthOf(span), from + Math.min(...refs))
      parts.push(cut(span, from, to))
      from = to
    }
    return parts
  })
}

/** Whether the lines are part of the file when the changes in `omitted` never happened. */
export function isVisibleWithout({ insertedBy, deletedBy }: Span<unknown>, omitted: ChangedLines): boolean {
  return !omitted.has(insertedBy) && deletedBy.every((ref) => omitted.has(ref))
}

/** Finds lines by their number in the text that `spans` are. */
export function createLineFinder<T extends Piece<unknown>>(spans: readonly T[]) {
  const starts: number[] = []
  let lines = 0
  for (const span of spans) {
    starts.push(lines)
    lines += lengthOf(span)
  }
  const indexOf = (line: number): number => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= line) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  /** `read` of each line [from, to): its span, and its place in it. Lines beyond the end are left out. */
  return <R>(from: number, to: number, read: (span: T, at: number) => R): R[] => {
    const found: R[] = []
    let index = indexOf(from)
    for (let line = from; line < Math.min(to, lines); line++) {
      const span = spans[index] as T
      found.push(read(span, line - (starts[index] as number)))
      if (line + 1 === starts[index + 1]) index++
    }
    return found
  }
}
