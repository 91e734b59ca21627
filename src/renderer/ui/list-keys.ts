/** Keyboard navigation shared by lists, trees and menus. Pure: a list, the focused index and a key in; the move out. */
import { type KeyPress, matchesKeys } from './keys.ts'

/** The keys that move in every list, for the command table. */
const LIST_KEYS = {
  previous: ['ArrowUp', 'K'],
  next: ['ArrowDown', 'J'],
  pageUp: ['PageUp'],
  pageDown: ['PageDown'],
  first: ['Home'],
  last: ['End'],
  collapse: ['ArrowLeft'],
  expand: ['ArrowRight']
} as const satisfies Readonly<Record<string, readonly string[]>>

type ListKey = keyof typeof LIST_KEYS

/** A list as its keys see it. */
export interface ListShape {
  readonly length: number
  /** False for a row that cannot take the focus, such as a heading; absent: all can. */
  readonly canFocus?: (index: number) => boolean
  /** Trees: depth of the row, 1 at the top. */
  readonly levelOf?: (index: number) => number
  /** Trees: whether the row is expanded; null if it has no children. */
  readonly isExpanded?: (index: number) => boolean | null
  /** Text that typed letters are compared with. */
  readonly textOf?: (index: number) => string
  /** Rows that a page key moves by. */
  readonly pageRows?: number
  /** Moves from the last row to the first one and back, as menus do. */
  readonly wraps?: boolean
}

type ListMove =
  /** `extend`: Shift was held. */
  { readonly to: number; readonly extend: boolean } | { readonly expand: boolean }

const DEFAULT_PAGE_ROWS = 12

/** The move for a key on row `at`, null if lists do not use the key. `letters`: whether J and K move. */
export function listMove(list: ListShape, at: number, press: KeyPress, letters: boolean): ListMove | null {
  if (press.metaKey || press.ctrlKey || press.altKey) return null
  const key = listKey(press, letters)
  const page = list.pageRows ?? DEFAULT_PAGE_ROWS
  const to = (index: number | null): ListMove => ({ to: index ?? at, extend: press.shiftKey })
  switch (key) {
    case 'next':
      return to(step(list, at, 1))
    case 'previous':
      return to(step(list, at, -1))
    case 'pageDown':
      return to(nearest(list, Math.min(at + page, list.length - 1), -1))
    case 'pageUp':
      return to(nearest(list, Math.max(at - page, 0), 1))
    case 'first':
      return to(nearest(list, 0, 1))
    case 'last':
      return to(nearest(list, list.length - 1, -1))
    case 'expand': {
      const expanded = list.isExpanded?.(at) ?? null
      if (expanded === null) return null
      return expanded ? { to: step(list, at, 1) ?? at, extend: false } : { expand: true }
    }
    case 'collapse': {
      if (list.isExpanded?.(at)) return { expand: false }
      const parent = parentOf(list, at)
      return parent === null ? null : { to: parent, extend: false }
    }
    case null:
      return null
  }
}

function listKey(press: KeyPress, letters: boolean): ListKey | null {
  // Shift extends the selection and does not change the move.
  const plain = { key: press.key, code: press.code, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  for (const [name, keys] of Object.entries(LIST_KEYS) as [ListKey, readonly string[]][]) {
    if (keys.some((key) => (letters || key.length > 1) && matchesKeys(key, plain))) return name
  }
  return null
}

/** The next row in direction `by` that can take the focus; null at the end of a list that does not wrap. */
function step(list: ListShape, at: number, by: 1 | -1): number | null {
  for (let moved = 1; moved <= list.length; moved++) {
    const index = at + by * moved
    const wrapped = list.wraps ? (index + list.length * 2) % list.length : index
    if (wrapped < 0 || wrapped >= list.length) return null
    if (list.canFocus?.(wrapped) ?? true) return wrapped
  }
  return null
}

/** The row `index` or, if it cannot take the focus, the next one in direction `by`. */
function nearest(list: ListShape, index: number, by: 1 | -1): number | null {
  return (list.canFocus?.(index) ?? true) ? index : step({ ...list, wraps: false }, index, by)
}

function parentOf(list: ListShape, at: number): number | null {
  const level = list.levelOf?.(at) ?? 1
  for (let index = at - 1; index >= 0 && level > 1; index--) {
    if ((list.canFocus?.(index) ?? true) && (list.levelOf?.(index) ?? 1) < level) return index
  }
  return null
}

/** The first row from row `from` on, around the end, whose text starts with `prefix`. */
export function typeAhead(list: ListShape, from: number, prefix: string): number | null {
  const start = prefix.toLowerCase()
  for (let moved = 0; moved < list.length; moved++) {
    const index = (from + moved + list.length) % list.length
    const text = (list.canFocus?.(index) ?? true) ? list.textOf?.(index) : undefined
    if (text?.toLowerCase().startsWith(start)) return index
  }
  return null
}

/** Whether a key types text that can be searched for. */
export function isTypedText(press: KeyPress): boolean {
  return /^[\p{L}\p{N}._-]$/u.test(press.key) && !press.metaKey && !press.ctrlKey && !press.altKey
}
