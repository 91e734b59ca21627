/** How much of a conversation's lists a caller has already, so that a long one is told once and then only goes on. */
import { createHash } from 'node:crypto'
import { SESSION_LISTS, type SessionList } from '../../../contract/conversation.ts'

/** One row of a list, in its order. */
export interface RowOutline {
  /** Unlike that of any row of another conversation. */
  readonly id: string
  /** Everything about the row that can change. */
  readonly values: string
  /** True while it changes as a matter of course; then it is told every time. */
  readonly open: boolean
}

export type ListOutlines = { readonly [list in SessionList]: readonly RowOutline[] }

/** What a caller has of a list: its first `length` rows, of which those at `open` are told again. */
interface SentRows {
  readonly length: number
  readonly open: readonly number[]
}

/** A mark stays short: a list is marked up to where more rows than these are open. */
const MAX_OPEN = 16

/** Names each list as it is told now. */
export function encodeMark(outlines: ListOutlines): string {
  return SESSION_LISTS.map((list) => {
    const rows = outlines[list]
    const open = rows.flatMap((row, index) => (row.open ? [index] : []))
    const length = open[MAX_OPEN] ?? rows.length
    const known = { length, open: open.slice(0, MAX_OPEN) }
    return `${length}:${known.open.join('.')}:${digest(rows, known)}`
  }).join(',')
}

/**
 * How many rows of a list the caller keeps, and which rows are told. A list that is not what it was when it was marked,
 * after a restore or when something was let go, is told whole; so is every list to a mark that is none.
 */
export function rowsSince<T>(
  list: SessionList,
  rows: readonly T[],
  outlines: ListOutlines,
  mark: string | undefined
): { readonly from: number; readonly rows: readonly T[] } {
  const [length = '', open = '', was] = (mark?.split(',')[SESSION_LISTS.indexOf(list)] ?? '').split(':')
  const known = { length: Number(length), open: open === '' ? [] : open.split('.').map(Number) }
  const stands = /^\d+$/.test(length) && known.length <= rows.length && was === digest(outlines[list], known)
  if (!stands) return { from: 0, rows: rows }
  const again = new Set(known.open)
  return { from: known.length, rows: rows.filter((_, index) => index >= known.length || again.has(index)) }
}

function digest(rows: readonly RowOutline[], { length, open }: SentRows): string {
  const hash = createHash('sha256')
  const again = new Set(open)
  for (const [index, { id, values }] of rows.slice(0, length).entries())
    hash.update(JSON.stringify(again.has(index) ? [id] : [id, values]))
  return hash.digest('base64url')
}
