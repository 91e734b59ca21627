/** Keyboard navigation of the changed files. Pure. */
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import { typeAhead as findText, type ListShape, listMove } from '../../ui/list-keys.ts'
import type { Row } from './file-rows.ts'

export type FileListMove =
  | { readonly to: number }
  | { readonly toggle: string; readonly open: boolean }
  | { readonly act: FileListAction }

export type FileListAction = PaneAction<'files'>

export interface KeyPress {
  readonly key: string
  readonly mod: boolean
  readonly shift: boolean
  readonly alt: boolean
  /** The physical key, because Option types characters on macOS. */
  readonly code?: string
}

const PAGE_ROWS = 15

/** The move for a key with focus on row `at`; null if the list does not use the key. */
export function fileListMove(rows: readonly Row[], at: number, press: KeyPress, letters = true): FileListMove | null {
  const { key, code = '', mod, shift, alt } = press
  const event = { key, code, ctrlKey: mod, metaKey: false, altKey: alt, shiftKey: shift }
  const row = rows[at]
  const action = paneAction('files', event, letters, false)
  if (action && row?.kind === 'folder' && (action === 'open-diff' || action === 'toggle-reviewed'))
    return { toggle: row.id, open: !row.open }
  // Chords keep and undo files only.
  if (action) return alt && row?.kind !== 'file' ? null : { act: action }
  const move = listMove(shapeOf(rows), at, event, letters)
  if (move && 'to' in move) return { to: move.to }
  return move && row ? { toggle: row.id, open: move.expand } : null
}

function shapeOf(rows: readonly Row[]): ListShape {
  return {
    length: rows.length,
    pageRows: PAGE_ROWS,
    levelOf: (index) => rows[index]?.level ?? 1,
    isExpanded: (index) => (rows[index]?.kind === 'folder' ? rows[index].open : null),
    textOf: (index) => labelOf(rows[index])
  }
}

function labelOf(row: Row | undefined): string {
  return row?.kind === 'file' ? row.name : (row?.label ?? '')
}

/** First row after `at` whose name starts with `typed`; wraps around. A longer prefix may match row `at` itself. */
export function typeAhead(rows: readonly Row[], at: number, typed: string): number | null {
  return findText(shapeOf(rows), typed.length > 1 ? at : at + 1, typed)
}

/** The next file row that is not reviewed: first below `at`, then from the top; `at` if all are reviewed. */
export function nextToReviewRow(rows: readonly Row[], at: number, reviewed: ReadonlySet<string>): number {
  const candidates = rows.flatMap((row, i) => (row.kind === 'file' && i !== at && !reviewed.has(row.id) ? [i] : []))
  return candidates.find((i) => i > at) ?? candidates[0] ?? at
}
