/** [RV-1] The messages and tool calls that comments are on. Their texts never change, so nothing of them is stored with a comment. */
import { isInForce, type SeqRanges } from '../../../contract/conversation.ts'
import type { Comment } from '../../../contract/review.ts'
import type { CommentRow } from '../store/comments.ts'
import { rangesInForce } from '../store/in-force.ts'
import { findMessage, promptSeq } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { findSession } from '../store/sessions.ts'
import { findCall } from '../store/tool-calls.ts'

interface Quoted extends Pick<Comment, 'message' | 'call'> {
  /** The beginning of its text. */
  readonly quote: string
}

const MOST_CHARACTERS = 2000

type ReadFor = (comment: Pick<CommentRow, 'session' | 'message' | 'call'>) => Quoted | null

/** Reads what a comment is on, null for one that is on neither. What is in force in a session is computed once. */
export function createMessageReader(store: Store, mostLines: number): ReadFor {
  const inForce = new Map<string, SeqRanges>()
  const isUndone = (session: string, seq: number): boolean => {
    const ranges = inForce.get(session) ?? rangesInForce(store, session, findSession(store, session)?.revision ?? 0)
    inForce.set(session, ranges)
    return !isInForce(ranges, seq)
  }
  const quoted = (text: string): string => text.split('\n', mostLines).join('\n').slice(0, MOST_CHARACTERS).trimEnd()
  const readCall = (id: string): Quoted | null => {
    const found = findCall(store, id)
    if (!found) return null
    const message = promptSeq(store, found.session, found.turn)
    const undone = message !== null && isUndone(found.session, message)
    return { message: null, call: { id, name: found.name, message, undone }, quote: quoted(found.summary) }
  }
  return ({ session, message: seq, call }) => {
    if (call !== null) return readCall(call)
    const found = session === null || seq === null ? null : findMessage(store, session, seq)
    if (session === null || !found) return null
    const { role, text } = found
    return { message: { seq: found.seq, role, undone: isUndone(session, found.seq) }, call: null, quote: quoted(text) }
  }
}
