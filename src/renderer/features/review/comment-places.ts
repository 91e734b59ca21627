/**
 * [RV-2] Where comments are in the text of a diff. Pure. The engine says on which lines a comment is at a position; the
 * shown text may be another one (a live run, edits that are left out), so a comment is only placed on lines that are
 * those it was written on.
 */
import type { Comment } from '../../../contract/review.ts'

export type Side = 'before' | 'after'

/** The lines of the two sides; null: no text is shown. */
export type ShownLines = Readonly<Record<Side, readonly string[] | null>>

/** Lines of one side, from 1, both included. */
export interface CommentLines {
  readonly side: Side
  readonly from: number
  readonly to: number
}

/** A comment and its replies, oldest first. */
export interface Thread {
  readonly comment: Comment
  readonly replies: readonly Comment[]
}

/** A thread and the lines it is on; null: it is on no line of the shown text. */
export interface PlacedThread extends Thread {
  readonly lines: CommentLines | null
}

/** What a side of the diff shows. `comments`: as they are at its position. */
export interface ShownSide {
  readonly path: string
  readonly comments: readonly Comment[]
  /** null: no text is shown. */
  readonly lines: readonly string[] | null
}

/** The lines of a text; null if editor and engine count them differently: only the editor ends one at a lone CR. */
export function linesOfText(text: string): readonly string[] | null {
  return /\r(?!\n)/.test(text) ? null : text.split(/\r?\n/)
}

/** The threads of a file. A line of the later text wins: only what is not in it is placed in the earlier one. */
export function placeThreads(after: ShownSide, before: ShownSide): PlacedThread[] {
  return threadsOf(after.comments.filter(({ path }) => path !== null)).flatMap(({ comment, replies }) => {
    const then = before.comments.find(({ id }) => id === comment.id)
    if (comment.path !== after.path && then?.path !== before.path) return []
    const now = comment.path === after.path ? placeIn(comment, after, 'after') : null
    if (now) return [{ comment, replies, lines: now }]
    const earlier = then?.path === before.path ? placeIn(then, before, 'before') : null
    return [{ comment: earlier && then ? then : comment, replies, lines: earlier }]
  })
}

/** A reply whose comment is not in the list is a thread of its own. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const known = new Set(comments.map(({ id }) => id))
  const isReply = ({ replyTo }: Comment) => replyTo !== null && known.has(replyTo)
  return comments
    .filter((comment) => !isReply(comment))
    .map((comment) => ({ comment, replies: comments.filter(({ replyTo }) => replyTo === comment.id) }))
}

function placeIn(comment: Comment, { lines }: ShownSide, side: Side): CommentLines | null {
  const { line: from, endLine: to } = comment
  if (from === null || to === null || !lines || to > lines.length) return null
  return showsQuote(comment, lines.slice(from - 1, to)) ? { side, from, to } : null
}

/** Whether the lines are those of the comment, or the rest of them. A file with secrets has no quote. */
export function showsQuote({ quote, lines }: Pick<Comment, 'quote' | 'lines'>, shown: readonly string[]): boolean {
  if (quote === '') return true
  const quoted = quote.split('\n')
  if (lines === 'same') return quoted.every((text, i) => shown[i] === text)
  return quoted.some((text) => text.trim() !== '' && shown.includes(text))
}
