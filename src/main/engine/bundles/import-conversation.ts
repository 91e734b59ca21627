/** The messages of a bundle's conversation, and the comments on its run. */
import { DriftlineError } from '../../../contract/errors.ts'
import { addComment, type CommentRequest } from '../review/comments.ts'
import { setCommentResolved } from '../store/comments.ts'
import { insertMessage } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import type { EditImport } from './import-edits.ts'
import type { BundleHeader, ValueOf } from './line-schema.ts'

/** `hasTurn`: whether the bundle has a turn with this id. */
export function createConversationImport(
  { id: run, startedAt }: BundleHeader['run'],
  edits: Pick<EditImport, 'has'>,
  hasTurn: (turn: string) => boolean
) {
  /** Seqs by `step_id`. */
  const messages = new Map<number, number>()
  /** Ids here by those of the bundle. */
  const comments = new Map<string, string>()
  return {
    messages: (): number => messages.size,
    /** Steps of the system, and of tools alone, are no messages. */
    addStep: (tx: Writable<Store>, { source, message, timestamp, step_id, extra }: ValueOf<'step'>): void => {
      if (source === 'system' || message === '') return
      const seq = messages.size + 1
      const at = Date.parse(timestamp ?? '')
      insertMessage(tx, run, {
        seq,
        parent: seq - 1,
        turn: extra?.turn !== undefined && hasTurn(extra.turn) ? extra.turn : null,
        role: source === 'user' ? 'user' : 'assistant',
        text: message,
        at: Number.isNaN(at) ? startedAt : at,
        source: `bundle:${seq}`
      })
      messages.set(step_id, seq)
    },
    addComment: (tx: Writable<Store>, comment: ValueOf<'comment'>): void => {
      const message = comment.step === undefined ? undefined : messages.get(comment.step)
      const replyTo = comment.replyTo === undefined ? undefined : comments.get(comment.replyTo)
      const answers = replyTo === undefined ? {} : { replyTo }
      const requests: CommentRequest[] =
        comment.call !== undefined
          ? [
              { target: run, call: comment.call, text: comment.text, ...answers },
              { target: run, text: comment.text }
            ]
          : message === undefined
            ? placesOf(comment, edits).map((place) => ({ target: run, text: comment.text, ...place, ...answers }))
            : [{ target: run, message, text: comment.text, ...answers }]
      const id = firstPossible(requests, (request) => addComment(tx, request, comment.at))
      if (id === null) return
      comments.set(comment.id, id)
      if (comment.resolved) setCommentResolved(tx, id, true)
    }
  }
}

/** The lines that it names, else the whole file, else the run. */
function placesOf({ path, line, endLine }: ValueOf<'comment'>, edits: Pick<EditImport, 'has'>) {
  if (path === undefined || !edits.has(path)) return [{}]
  if (line === undefined) return [{ path }, {}]
  return [{ path, from: line, to: Math.max(line, endLine ?? line) }, { path }, {}]
}

/** Null if none is: the file may have no such lines, or no text. */
function firstPossible<T, R>(options: readonly T[], use: (option: T) => R): R | null {
  for (const option of options) {
    try {
      return use(option)
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code === 'StoreDamaged') throw error
    }
  }
  return null
}
