/** Owns table `comment`: what a person wrote about a run, a file of it, lines of the file, a message, or a tool call. */
import type { Seq } from '../../../contract/log.ts'
import { WITH_PREFIX } from './ids.ts'
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import { all, inserter, run, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'
import { nextOrdinal } from './timeline.ts'

export interface CommentRow {
  readonly id: string
  readonly n: number
  readonly at: number
  readonly edited_at: number | null
  readonly run: string | null
  readonly session: string | null
  /** The position of the log whose text was shown. */
  readonly seq: Seq
  readonly path: PathId | null
  /** Lines [from, to) of that text, 0-based; null for the whole file. */
  readonly from_line: number | null
  readonly to_line: number | null
  /** JSON: HunkRef[], the names of the lines in the weave; null when the file had none. */
  readonly names: string | null
  readonly quote: string
  /** Seq of the message of its session that it is on. */
  readonly message: number | null
  /** The tool call of its session that it is on. */
  readonly call: string | null
  readonly reply_to: string | null
  readonly text: string
  /** 1: a person closed it. */
  readonly resolved: number
  /** The message it is in. */
  readonly review: string | null
}

export type NewComment = Omit<CommentRow, 'n' | 'edited_at' | 'resolved' | 'review'>

const DAMAGED = 'The text of this comment is damaged.'
const ROW = `c.id, c.n, c.at, c.edited_at, c.run, c.session, c.seq, c.path, c.from_line, c.to_line, c.names, c.quote,
  c.message, c.call, c.reply_to, ${readable('c', 'text', DAMAGED)} AS text, c.resolved, c.review`

const insertRow = inserter('comment', [
  ...(['id', 'n', 'at', 'run', 'session', 'seq', 'path', 'from_line', 'to_line', 'names', 'quote'] as const),
  ...(['message', 'call', 'reply_to', 'text', 'sum'] as const)
])

export function insertComment(tx: Writable<Store>, comment: NewComment): void {
  insertRow(tx, { ...comment, n: nextOrdinal(tx, 'comment'), sum: 0 })
  run(tx, `UPDATE comment SET sum = ${sumOf('text')} WHERE id = ?`, comment.id)
}

export function rewriteComment(tx: Writable<Store>, id: string, text: string, at: number): void {
  run(tx, `UPDATE comment SET text = ?, sum = ${sumOf('?')}, edited_at = ? WHERE id = ?`, text, text, at, id)
}

export function setCommentResolved(tx: Writable<Store>, id: string, isResolved: boolean): void {
  run(tx, 'UPDATE comment SET resolved = ? WHERE id = ?', isResolved ? 1 : 0, id)
}

/** Puts the comments of a session that are open into a message. */
export function assignReview(tx: Writable<Store>, review: string, comments: readonly string[]): void {
  for (const id of comments) run(tx, 'UPDATE comment SET review = ? WHERE id = ?', review, id)
}

/** The comments of a message are open again. */
export function releaseComments(tx: Writable<Store>, review: string): void {
  run(tx, 'UPDATE comment SET review = NULL WHERE review = ?', review)
}

/** With its replies. */
export function deleteComment(tx: Writable<Store>, id: string): void {
  run(tx, 'DELETE FROM comment WHERE reply_to = ?', id)
  run(tx, 'DELETE FROM comment WHERE id = ?', id)
}

/** At most two comments whose id starts with `prefix`; an exact match comes first. */
export function commentsWithPrefix(store: Store, prefix: string): CommentRow[] {
  const sql = `SELECT ${ROW} FROM comment c WHERE ${WITH_PREFIX} LIMIT 2`
  return all(store, sql, prefix, prefix)
}

interface CommentFilter {
  readonly run?: string
  readonly session?: string
  /** Only comments that no person closed. */
  readonly unresolved?: boolean
  /** Only comments on messages and tool calls of a conversation. */
  readonly onMessages?: boolean
  /** Only comments that are in no message yet. */
  readonly unsent?: boolean
}

/** Oldest first. */
export function listCommentRows(
  store: Store,
  { run: ofRun, session, unresolved, onMessages, unsent }: CommentFilter
): CommentRow[] {
  const equals = Object.entries({ run: ofRun, session }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined
  )
  const where = [
    ...equals.map(([column]) => `c.${column} = ?`),
    ...(unresolved ? ['c.resolved = 0'] : []),
    ...(onMessages ? ['(c.message IS NOT NULL OR c.call IS NOT NULL)'] : []),
    ...(unsent ? ['c.review IS NULL'] : [])
  ]
  const sql = `SELECT ${ROW} FROM comment c ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY c.n`
  return all(store, sql, ...equals.map(([, value]) => value))
}

/** How many comments with their replies no person closed, for each run that has any. */
export function openThreadsByRun(store: Store): Map<string, number> {
  const sql = `SELECT run, count(*) AS threads FROM comment
    WHERE resolved = 0 AND reply_to IS NULL AND run IS NOT NULL GROUP BY run`
  return new Map(all<{ run: string; threads: number }>(store, sql).map(({ run: id, threads }) => [id, threads]))
}
