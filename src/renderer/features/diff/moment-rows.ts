/**
 * Which rows of a diff are in view, and how far it is scrolled, so that a line can be seen: as the editor does it, which
 * shows the same text later. Pure.
 */
import { type DrawnRow, hasLine } from './first-rows.ts'

/** Heights of the editor's rows, and its room below the last one, px. */
const LINE_PX = 20
const FOLD_PX = 24
const BAR_PX = 28
const BELOW_PX = 8

interface MomentView {
  readonly scrollTop: number
  /** Where the first of `rows` is, px from the top of the pane; 0 or less. */
  readonly top: number
  readonly rows: readonly DrawnRow[]
}

interface MomentPlace {
  /** Of the later text, from 1, to be in view; null: none. */
  readonly line: number | null
  /** Of the pane, px. */
  readonly height: number
  /** Where it is scrolled to now. */
  readonly scrollTop: number
}

/** The place stays while the line is in view there; else the line is in the middle. */
export function momentView(rows: readonly DrawnRow[], { line, height, scrollTop }: MomentPlace): MomentView {
  const tops = topsOf(rows)
  const end = tops.at(-1) ?? 0
  const within = (top: number): number => Math.round(Math.max(0, Math.min(top, end + BELOW_PX - height)))
  const now = within(scrollTop)
  const at = line === null ? -1 : rows.findIndex((row) => hasLine(row, 'after', line))
  const lineTop = tops[at]
  const isInView = lineTop === undefined || (lineTop >= now && lineTop + LINE_PX <= now + height)
  const place = isInView ? now : within(lineTop - (height - LINE_PX) / 2)
  const first = Math.max(
    0,
    tops.findLastIndex((top) => top <= place)
  )
  const behind = tops.findIndex((top) => top >= place + height)
  return {
    scrollTop: place,
    top: (tops[first] ?? 0) - place,
    rows: rows.slice(first, behind < 0 ? rows.length : behind)
  }
}

/** Where each row begins, and where the last one ends. */
function topsOf(rows: readonly DrawnRow[]): number[] {
  let top = 0
  const tops = [0]
  for (const { kind } of rows) {
    top += kind === 'bar' ? BAR_PX : kind === 'fold' ? FOLD_PX : LINE_PX
    tops.push(top)
  }
  return tops
}
