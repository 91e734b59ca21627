/** Keyboard navigation of the changed files. Pure. */
import type { Row } from './file-rows.ts'

export type FileListMove =
  | { readonly to: number }
  | { readonly toggle: string; readonly open: boolean }
  | { readonly act: FileListAction }

export type FileListAction =
  | 'toggle-reviewed'
  | 'keep'
  | 'restore'
  | 'versions'
  | 'open-diff'
  | 'copy'
  | 'mode'
  | 'filter'
  | 'menu'
  | 'prev-file'
  | 'next-file'
  | 'editor'
  | 'reveal'

export interface KeyPress {
  readonly key: string
  readonly mod: boolean
  readonly shift: boolean
  readonly alt: boolean
  /** The physical key, because Option types characters on macOS. */
  readonly code?: string
}

/** The move for a key with focus on row `at`; null if the list does not use the key. */
export function fileListMove(rows: readonly Row[], at: number, press: KeyPress, letters = true): FileListMove | null {
  const last = rows.length - 1
  const row = rows[at]
  if (press.alt) return press.shift && !press.mod && row?.kind === 'file' ? reviewMove(press.code) : null
  if (press.mod) return press.key.toLowerCase() === 'c' && row ? { act: 'copy' } : null
  switch (press.key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, last) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'PageDown':
      return { to: Math.min(at + 15, last) }
    case 'PageUp':
      return { to: Math.max(at - 15, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: last }
    case 'ArrowRight':
      if (row?.kind !== 'folder') return null
      return row.open ? { to: Math.min(at + 1, last) } : { toggle: row.id, open: true }
    case 'ArrowLeft':
      if (row?.kind === 'folder' && row.open) return { toggle: row.id, open: false }
      return row ? { to: parentIndex(rows, at) } : null
    case 'Enter':
      return row?.kind === 'folder' ? { toggle: row.id, open: !row.open } : { act: 'open-diff' }
    case ' ':
      return row?.kind === 'folder' ? { toggle: row.id, open: !row.open } : { act: 'toggle-reviewed' }
    case 'F10':
      return press.shift ? { act: 'menu' } : null
    case 'ContextMenu':
      return { act: 'menu' }
    default:
      return letters ? letterMove(at, last, press) : null
  }
}

/** The same chords keep and undo a file in the diff. */
function reviewMove(code: string | undefined): FileListMove | null {
  return code === 'KeyY' ? { act: 'keep' } : code === 'KeyZ' ? { act: 'restore' } : null
}

function letterMove(at: number, last: number, press: KeyPress): FileListMove | null {
  switch (press.key) {
    case 'j':
      return { to: Math.min(at + 1, last) }
    case 'k':
      return { to: Math.max(at - 1, 0) }
    case 'r':
      return { act: 'restore' }
    case 'h':
      return { act: 'versions' }
    case 't':
      return { act: 'mode' }
    case 'o':
      return { act: press.shift ? 'reveal' : 'editor' }
    case '/':
      return { act: 'filter' }
    case '[':
      return { act: 'prev-file' }
    case ']':
      return { act: 'next-file' }
    default:
      return null
  }
}

function parentIndex(rows: readonly Row[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let i = at - 1; i >= 0; i--) if ((rows[i]?.level ?? 1) < level) return i
  return at
}

const label = (row: Row) => (row.kind === 'file' ? row.name : row.label).toLowerCase()

/** First row after `at` whose name starts with `typed`; wraps around. A longer prefix may match row `at` itself. */
export function typeAhead(rows: readonly Row[], at: number, typed: string): number | null {
  const prefix = typed.toLowerCase()
  const start = prefix.length > 1 ? at : at + 1
  for (let i = 0; i < rows.length; i++) {
    const index = (start + i) % rows.length
    const row = rows[index]
    if (row && label(row).startsWith(prefix)) return index
  }
  return null
}

/** The next file row that is not reviewed: first below `at`, then from the top; `at` if all are reviewed. */
export function nextToReviewRow(rows: readonly Row[], at: number, reviewed: ReadonlySet<string>): number {
  const candidates = rows.flatMap((row, i) => (row.kind === 'file' && i !== at && !reviewed.has(row.id) ? [i] : []))
  return candidates.find((i) => i > at) ?? candidates[0] ?? at
}
