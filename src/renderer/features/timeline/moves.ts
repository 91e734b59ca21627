/** Where the keys of the timeline lead. Pure: rows and the present index in, the next index out. */
import type { KeyPress } from '../../ui/keys.ts'
import { isUnfolded, levelOf, type Row } from './rows.ts'
import { titleOf } from './sentences.ts'

export type Move =
  | { readonly to: number; readonly extend: boolean }
  | { readonly fold: boolean }
  | { readonly do: 'enter' | 'menu' | 'select' | 'end' | 'clear' }

/** What a key means on the row at `index`, null when it is not a key of the timeline. */
export function moveFor(rows: readonly Row[], index: number, press: KeyPress, letterKeys: boolean): Move | null {
  if (press.metaKey || press.ctrlKey || press.altKey) return null
  const extend = press.shiftKey
  const letter = letterKeys ? press.key.toLowerCase() : ''
  if (press.key === 'ArrowDown' || letter === 'j') return step(rows, index, 1, extend)
  if (press.key === 'ArrowUp' || letter === 'k') return step(rows, index, -1, extend)
  switch (press.key) {
    case 'Home':
      return { to: nextNode(rows, -1, 1) ?? index, extend }
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
      const open = row ? isUnfolded(row) : null
      if (open === null) return null
      return open ? step(rows, index, 1, false) : { fold: false }
    }
    case 'ArrowLeft': {
      const row = rows[index]
      if (!row) return null
      if (isUnfolded(row)) return { fold: true }
      const level = levelOf(row)
      if (level === 1) return null
      const parent = rows.slice(0, index).findLastIndex((above) => above.kind !== 'day' && levelOf(above) < level)
      return parent < 0 ? null : { to: parent, extend: false }
    }
  }
  return null
}

function step(rows: readonly Row[], index: number, by: 1 | -1, extend: boolean): Move {
  return { to: nextNode(rows, index, by) ?? index, extend }
}

/** Index of the next row that can be selected, null at an end. */
function nextNode(rows: readonly Row[], index: number, by: 1 | -1): number | null {
  for (let i = index + by; i >= 0 && i < rows.length; i += by) if (rows[i]?.kind !== 'day') return i
  return null
}

/** First row after `index` whose text starts with what was typed, wrapping round; the row itself counts last. */
export function typeAhead(rows: readonly Row[], index: number, typed: string): number | null {
  const wanted = typed.toLowerCase()
  for (let n = 1; n <= rows.length; n++) {
    const at = (index + n) % rows.length
    if (textOf(rows[at]).toLowerCase().startsWith(wanted)) return at
  }
  return null
}

function textOf(row: Row | undefined): string {
  if (row?.kind === 'entry') return titleOf(row.entry)
  if (row?.kind === 'turn') return row.turn?.prompt ?? ''
  if (row?.kind === 'call') return row.call.summary
  if (row?.kind === 'plan') return 'Plan'
  if (row?.kind === 'points') return 'Checkpoints'
  return row?.kind === 'start' ? 'Start of run' : ''
}
