/** [RV-1] The messages that comments are on. Their texts never change, so nothing of them is stored with a comment. */
import { isInForce, type SeqRanges } from '../../../contract/conversation.ts'
import type { CommentedMessage } from '../../../contract/review.ts'
import type { CommentRow } from '../store/comments.ts'
import { rangesInForce } from '../store/in-force.ts'
import { findMessage } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { findSession } from '../store/sessions.ts'

interface ReadMessage {
  readonly message: CommentedMessage
  /** The beginning of its text. */
  readonly quote: string
}

const MOST_CHARACTERS = 2000

type ReadFor = (comment: Pick<CommentRow, 'session' | 'message'>) => ReadMessage | null

/** Reads the message of a comment, null for one that is on none. What is in force in a session is computed once. */
export function createMessageReader(store: Store, mostLines: number): ReadFor {
  const inForce = new Map<string, SeqRanges>()
  const isUndone = (session: string, seq: number): boolean => {
    const ranges = inForce.get(session) ?? rangesInForce(store, session, findSession(store, session)?.revision ?? 0)
    inForce.set(session, ranges)
    return !isInForce(ranges, seq)
  }
  return ({ session, message: seq }) => {
    const found = session === null || seq === null ? null : findMessage(store, session, seq)
    if (session === null || !found) return null
    const { role, text } = found
    const quote = text.split('\n', mostLines).join('\n').slice(0, MOST_CHARACTERS).trimEnd()
    return { message: { seq: found.seq, role, undone: isUndone(session, found.seq) }, quote }
  }
}
