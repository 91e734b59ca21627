/**
 * Incremental updates of a conversation's lists. Each answer carries a mark; a request with that mark gets only the
 * rows that are new or may have changed, so that a client can follow a long conversation cheaply.
 *
 * The mark is opaque to clients and needs no state here. Per list it says how many rows the client has, which of them
 * were open (still changing), and a digest of the rest; it is valid only while the digest of these rows is the same.
 * Lists in a mark are separated by ",": `<length>:<open indices, "." between>:<digest>`.
 */
import { createHash } from 'node:crypto'
import { SESSION_LISTS, type SessionList } from '../../../contract/conversation.ts'

/** One row of a list, in the order of the list. */
interface RowOutline {
  /** Unique over all conversations. */
  readonly id: string
  /** Everything in the row that can change, as text. */
  readonly values: string
  /** True while the row is expected to change; it then is part of every update. */
  readonly open: boolean
}

export type ListOutlines = { readonly [list in SessionList]: readonly RowOutline[] }

/** The rows of a list that a client has: the first `length`. Those at the indices in `open` are sent again. */
interface SentRows {
  readonly length: number
  readonly open: readonly number[]
}

/** Keeps marks short: a mark covers a list only up to its 17th open row. */
const MAX_OPEN = 16

/** The mark of the lists as they are now. */
export function encodeMark(outlines: ListOutlines): string {
  return SESSION_LISTS.map((list) => {
    const rows = outlines[list]
    const open = rows.flatMap((row, index) => (row.open ? [index] : []))
    const length = open[MAX_OPEN] ?? rows.length
    const sent = { length, open: open.slice(0, MAX_OPEN) }
    return `${length}:${sent.open.join('.')}:${digest(rows, sent)}`
  }).join(',')
}

/**
 * The rows to send to a client with `mark`, and how many rows it keeps (`from`). Without a valid mark that is the whole
 * list: for example after a restore, or when content was evicted.
 */
export function rowsSince<T>(
  list: SessionList,
  rows: readonly T[],
  outlines: ListOutlines,
  mark: string | undefined
): { readonly from: number; readonly rows: readonly T[] } {
  const [length = '', open = '', hash] = (mark?.split(',')[SESSION_LISTS.indexOf(list)] ?? '').split(':')
  const sent = { length: Number(length), open: open === '' ? [] : open.split('.').map(Number) }
  const isValid = /^\d+$/.test(length) && sent.length <= rows.length && hash === digest(outlines[list], sent)
  if (!isValid) return { from: 0, rows }
  const wasOpen = new Set(sent.open)
  return { from: sent.length, rows: rows.filter((_, index) => index >= sent.length || wasOpen.has(index)) }
}

/** Of open rows only the id counts, because their values are sent again in any case. */
function digest(rows: readonly RowOutline[], { length, open }: SentRows): string {
  const hash = createHash('sha256')
  const isOpen = new Set(open)
  for (const [index, { id, values }] of rows.slice(0, length).entries())
    hash.update(JSON.stringify(isOpen.has(index) ? [id] : [id, values]))
  return hash.digest('base64url')
}
