/** Keyboard navigation of the timeline. Pure: rows, focused index and key in; the move out. */

import { entryTitle } from '../../../contract/words/timeline.ts'
import type { KeyPress } from '../../ui/keys.ts'
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
  if (press.metaKey || press.ctrlKey || press.altKey) return null
  const extend = press.shiftKey
  const letter = letterKeys ? press.key.toLowerCase() : ''
  if (press.key === 'ArrowDown' || letter === 'j') return step(rows, index, 1, extend)
  if (press.key === 'ArrowUp' || letter === 'k') return step(rows, index, -1, extend)
  switch (press.key) {
    case 'Home':
      return { to: nextSelectable(rows, -1, 1) ?? index, extend }
    case 'End':
      return { do: 'end' }
    case 'Enter':
      return { do: 'enter' }
    case ' ':
      return { do: 'select' }
    case 'Escape':
      return { do: 'clear' }
    case 'ContextMenu':
      return { do: 'menu' }
    case 'F10':
      return press.shiftKey ? { do: 'menu' } : null
    case 'ArrowRight': {
      const row = rows[index]
      const open = row ? isExpanded(row) : null
      if (open === null) return null
      return open ? step(rows, index, 1, false) : { collapse: false }
    }
    case 'ArrowLeft': {
      const row = rows[index]
      if (!row) return null
      if (isExpanded(row)) return { collapse: true }
      const level = rowLevel(row)
      if (level === 1) return null
      const parent = rows.slice(0, index).findLastIndex((above) => above.kind !== 'day' && rowLevel(above) < level)
      return parent < 0 ? null : { to: parent, extend: false }
    }
  }
  return null
}

function step(rows: readonly Row[], index: number, by: 1 | -1, extend: boolean): TimelineMove {
  return { to: nextSelectable(rows, index, by) ?? index, extend }
}

/** Index of the next selectable row in direction `by`, null at either end. */
function nextSelectable(rows: readonly Row[], index: number, by: 1 | -1): number | null {
  for (let i = index + by; i >= 0 && i < rows.length; i += by) if (rows[i]?.kind !== 'day') return i
  return null
}

/** First row after `index` whose text starts with `typed`; wraps around, so the row itself is tried last. */
export function typeAhead(rows: readonly Row[], index: number, typed: string): number | null {
  const prefix = typed.toLowerCase()
  for (let n = 1; n <= rows.length; n++) {
    const at = (index + n) % rows.length
    if (textOf(rows[at]).toLowerCase().startsWith(prefix)) return at
  }
  return null
}

function textOf(row: Row | undefined): string {
  if (row?.kind === 'entry') return entryTitle(row.entry)
  if (row?.kind === 'turn') return row.turn?.prompt ?? ''
  if (row?.kind === 'call') return row.call.summary
  if (row?.kind === 'plan') return 'Plan'
  if (row?.kind === 'checkpoints') return 'Checkpoints'
  return row?.kind === 'start' ? 'Start of run' : ''
}
