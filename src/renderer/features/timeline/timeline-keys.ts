/** Keyboard navigation of the timeline. Pure: rows, focused index and key in; the move out. */

import { entryTitle } from '../../../contract/words/timeline.ts'
import { paneAction } from '../../commands/pane-keys.ts'
import type { KeyPress } from '../../ui/keys.ts'
import { typeAhead as findText, type ListShape, listMove } from '../../ui/list-keys.ts'
import { isExpanded, type Row, rowLevel } from './timeline-rows.ts'

export type TimelineMove =
  | { readonly to: number; readonly extend: boolean }
  /** Collapses or expands the focused row. */
  | { readonly collapse: boolean }
  | { readonly do: 'enter' | 'menu' | 'select' | 'end' | 'clear' }

/** The move for a key on the row at `index`, null if the timeline does not use the key. */
export function timelineMove(
  rows: readonly Row[],
  index: number,
  press: KeyPress,
  letterKeys: boolean
): TimelineMove | null {
  const action = paneAction('timeline', press, letterKeys)
  if (action) return { do: action }
  const move = listMove(shapeOf(rows), index, press, letterKeys)
  return move && 'expand' in move ? { collapse: !move.expand } : move
}

/** First row after `index` whose text starts with `typed`; wraps around, so the row itself is tried last. */
export function typeAhead(rows: readonly Row[], index: number, typed: string): number | null {
  return findText(shapeOf(rows), index + 1, typed)
}

function shapeOf(rows: readonly Row[]): ListShape {
  return {
    length: rows.length,
    canFocus: (index) => rows[index]?.kind !== 'day',
    levelOf: (index) => levelOf(rows[index]),
    isExpanded: (index) => (rows[index] ? isExpanded(rows[index]) : null),
    textOf: (index) => textOf(rows[index])
  }
}

function levelOf(row: Row | undefined): number {
  return row && row.kind !== 'day' ? rowLevel(row) : 1
}

function textOf(row: Row | undefined): string {
  if (row?.kind === 'entry') return entryTitle(row.entry)
  if (row?.kind === 'turn') return row.turn?.prompt ?? ''
  if (row?.kind === 'call') return row.call.summary
  if (row?.kind === 'plan') return 'Plan'
  if (row?.kind === 'checkpoints') return 'Checkpoints'
  return row?.kind === 'start' ? 'Start of run' : ''
}
