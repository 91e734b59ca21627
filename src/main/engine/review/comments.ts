/** [RV-1] Comments of a person: how they are placed when written, and described as they are now. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import type { Comment, CommentState } from '../../../contract/review.ts'
import { decodeAs, encodingOf } from '../diff/encoding.ts'
import { splitLines } from '../diff/lines.ts'
import { readText } from '../diff/provenance.ts'
import { looksSecret } from '../files/secret-path.ts'
import { type CommentRow, commentsWithPrefix, insertComment, type NewComment } from '../store/comments.ts'
import { newId } from '../store/ids.ts'
import { findMessage } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { findReview } from '../store/reviews.ts'
import { findRun } from '../store/runs.ts'
import type { Writable } from '../store/sql.ts'
import { recordedHead, resolveTarget } from '../store/targets.ts'
import { callsWithPrefix } from '../store/tool-calls.ts'
import { findTurn } from '../store/turns.ts'
import { type CommentPlace, createPlacer, editAt, nameLines } from './comment-place.ts'
import { createMessageReader } from './commented-message.ts'

/** What a person comments on; lines from 1, both included. */
export interface CommentRequest {
  /** With `message`, the id of its session. */
  readonly target: string
  readonly message?: number | undefined
  readonly call?: string | undefined
  readonly path?: string | undefined
  readonly side?: 'before' | 'after' | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly replyTo?: string | undefined
  readonly text: string
}

const MOST_QUOTED_LINES = 20

/** Throws UnknownTarget for what was never recorded, Refused for lines that the file does not have. Returns its id. */
export function addComment(tx: Writable<Store>, request: CommentRequest, at: number): string {
  const answered = request.replyTo === undefined ? null : findCommentByPrefix(tx, request.replyTo)
  const { run, session, seq, path, from_line, to_line, names, quote, message, call } = answered ?? newPlace(tx, request)
  const id = newId('cm')
  // A reply to a reply belongs to the same comment.
  const reply_to = answered && (answered.reply_to ?? answered.id)
  const { text } = request
  insertComment(tx, {
    id,
    at,
    run,
    session,
    seq,
    path,
    from_line,
    to_line,
    names,
    quote,
    message,
    call,
    reply_to,
    text
  })
  return id
}

type Owner = Pick<NewComment, 'run' | 'session' | 'seq'>
type Lines = Pick<NewComment, 'path' | 'from_line' | 'to_line' | 'names' | 'quote'>

const NO_LINES: Lines = { path: null, from_line: null, to_line: null, names: null, quote: '' }

function newPlace(store: Store, request: CommentRequest): Owner & Lines & Pick<NewComment, 'message' | 'call'> {
  const { message, call } = request
  if (call !== undefined) return { ...callOwner(store, call), ...NO_LINES, message: null }
  if (message !== undefined)
    return { ...messageOwner(store, request.target, message), ...NO_LINES, message, call: null }
  const owner = ownerOf(store, request.target, request.side)
  return { ...owner, ...linesOf(store, request, owner.seq), message: null, call: null }
}

function callOwner(store: Store, named: string): Owner & Pick<NewComment, 'call'> {
  const [found, second] = callsWithPrefix(store, named)
  if (!found || (second && found.id !== named))
    throw new DriftlineError(
      found ? 'AmbiguousTarget' : 'UnknownTarget',
      found ? `"${named}" matches more than one tool call. Type more characters.` : `There is no tool call "${named}".`,
      { call: named }
    )
  return { run: found.run, session: found.session, seq: store.records.lastSeq(), call: found.id }
}

/** The run of a message is that of its turn. */
function messageOwner(store: Store, session: string, seq: number): Owner {
  const found = findMessage(store, session, seq)
  if (!found)
    throw new DriftlineError(
      'UnknownTarget',
      `This conversation has no message #${seq}. Run "driftline messages" for a list.`,
      { session, message: seq }
    )
  const run = found.turn === null ? null : (findTurn(store, found.turn)?.run ?? null)
  return { run, session, seq: store.records.lastSeq() }
}

function ownerOf(store: Store, target: string, side: CommentRequest['side']): Owner {
  if (target === 'now') return { run: null, session: null, seq: store.records.lastSeq() }
  const { run, seq, endSeq } = resolveTarget(store, target)
  const session = run === null ? null : (findRun(store, run)?.session ?? null)
  return { run, session, seq: side === 'before' ? seq : endSeq }
}

function linesOf(store: Store, { path, from, to }: CommentRequest, seq: Seq): Lines {
  if (path === undefined) return NO_LINES
  const { id } = recordedHead(store, path)
  if (from === undefined) return { ...NO_LINES, path: id }
  const span = { from: from - 1, to: Math.max(from, to ?? from) }
  const lines = textAt(store, id, seq)
  if (!lines || span.to > lines.length)
    throw new DriftlineError(
      'Refused',
      lines
        ? `${path} has ${lines.length} lines at that point, so there is no line ${span.to}. The comment was not saved.`
        : `${path} has no text at that point. The comment was not saved; comment on the whole file instead.`,
      { path }
    )
  const names = nameLines(store, id, seq, span)
  return {
    path: id,
    from_line: span.from,
    to_line: span.to,
    names: names && JSON.stringify(names),
    quote: looksSecret(path) ? '' : lines.slice(span.from, Math.min(span.to, span.from + MOST_QUOTED_LINES)).join('\n')
  }
}

/** The lines of a file at a position, without their line ends; null when it was no text then. */
function textAt(store: Store, path: number, seq: Seq): string[] | null {
  const at = editAt(store, path, seq)
  const bytes = at && readText(store, at.version)
  if (!bytes || bytes.length === 0) return null
  const text = decodeAs(bytes, encodingOf(bytes) ?? 'utf8').split('\n', splitLines(bytes).count)
  return text.map((line) => line.replace(/\r$/, ''))
}

/** `seq`: as they are at that position; null = now. */
export function describeComments(store: Store, rows: readonly CommentRow[], seq: Seq | null = null): Comment[] {
  const placeOf = createPlacer(store, seq)
  const quoteOf = createMessageReader(store, MOST_QUOTED_LINES)
  return rows.map((row) => describe(store, row, row.path === null ? null : placeOf(row, row.path), quoteOf(row)))
}

function describe(
  store: Store,
  row: CommentRow,
  place: CommentPlace | null,
  on: ReturnType<ReturnType<typeof createMessageReader>>
): Comment {
  const span = place?.span ?? null
  return {
    id: row.id,
    at: row.at,
    editedAt: row.edited_at,
    text: row.text,
    state: stateOf(store, row),
    run: row.run,
    session: row.session,
    message: on?.message ?? null,
    call: on?.call ?? null,
    path: place === null ? null : store.records.headById(place.path).path,
    line: span && span.from + 1,
    endLine: span?.to ?? null,
    moved: place !== null && (place.path !== row.path || (span !== null && span.from !== row.from_line)),
    lines: place?.lines ?? 'same',
    quote: on?.quote ?? row.quote,
    replyTo: row.reply_to,
    review: row.review
  }
}

function stateOf(store: Store, { resolved, review }: CommentRow): CommentState {
  if (resolved === 1) return 'resolved'
  const sent = review === null ? null : findReview(store, review)
  if (!sent) return 'open'
  if (sent.state === 'queued') return 'queued'
  const turn = sent.turn === null ? null : findTurn(store, sent.turn)
  return turn?.ended_at == null ? 'sent' : 'answered'
}

/** `id` may be any unique prefix. Throws UnknownTarget or AmbiguousTarget. */
export function findCommentByPrefix(store: Store, id: string): CommentRow {
  const [row, second] = commentsWithPrefix(store, id)
  if (row && second && row.id !== id)
    throw new DriftlineError('AmbiguousTarget', `"${id}" matches more than one comment. Type more characters.`, {
      comment: id
    })
  if (!row)
    throw new DriftlineError('UnknownTarget', `There is no comment "${id}". Run "driftline review --all" for a list.`, {
      comment: id
    })
  return row
}

export function getComment(store: Store, id: string): Comment {
  return describeComments(store, [findCommentByPrefix(store, id)])[0] as Comment
}
