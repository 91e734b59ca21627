/** Where focus goes in a list of rows for a key. Pure, so every key is a table row in the tests. */
import type { Row } from './file-rows.ts'

export type Move =
  | { readonly to: number }
  | { readonly toggle: string; readonly open: boolean }
  | {
      readonly act:
        | 'view'
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
    }

export interface KeyPress {
  readonly key: string
  readonly mod: boolean
  readonly shift: boolean
  readonly alt: boolean
  /** The key's place: Option types characters on macOS. */
  readonly code?: string
}

/** What a key does with focus on row `at`; null leaves the key alone. */
export function moveFor(rows: readonly Row[], at: number, press: KeyPress, letters = true): Move | null {
  const last = rows.length - 1
  const row = rows[at]
  if (press.alt) return press.shift && !press.mod && row?.kind === 'file' ? decision(press.code) : null
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
      return row?.kind === 'folder' ? { toggle: row.id, open: !row.open } : { act: 'view' }
    case 'F10':
      return press.shift ? { act: 'menu' } : null
    case 'ContextMenu':
      return { act: 'menu' }
    default:
      return letters ? letterMove(at, last, press) : null
  }
}

/** The keys that decide about a file in the diff do so here too. */
function decision(code: string | undefined): Move | null {
  return code === 'KeyY' ? { act: 'keep' } : code === 'KeyZ' ? { act: 'restore' } : null
}

function letterMove(at: number, last: number, press: KeyPress): Move | null {
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

/** First row after `at`, going round, whose name starts with `typed`; a longer word may match where it stands. */
export function typeAhead(rows: readonly Row[], at: number, typed: string): number | null {
  const word = typed.toLowerCase()
  const start = word.length > 1 ? at : at + 1
  for (let i = 0; i < rows.length; i++) {
    const index = (start + i) % rows.length
    const row = rows[index]
    if (row && label(row).startsWith(word)) return index
  }
  return null
}

/** The next file row that is not viewed: first below `at`, then from the top; `at` when all are. */
export function nextToView(rows: readonly Row[], at: number, viewed: ReadonlySet<string>): number {
  const left = rows.flatMap((row, i) => (row.kind === 'file' && i !== at && !viewed.has(row.id) ? [i] : []))
  return left.find((i) => i > at) ?? left[0] ?? at
}
