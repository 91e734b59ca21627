/** Pages of a conversation: the messages beside a message, or around it. */
import type { Params } from '../../../contract/api.ts'
import { isInForce, type Message, type MessagePage } from '../../../contract/conversation.ts'
import { rangesInForce } from '../store/in-force.ts'
import { hasMessages, messagesOf, seqsBeside } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'

type Cursor = Pick<Params<'sessions.messages'>, 'at' | 'side' | 'limit'>

const DEFAULT_LIMIT = 100

export function readPage(
  store: Store,
  row: SessionRow,
  cursor: Cursor
): Pick<MessagePage, 'messages' | 'inForce' | 'more'> {
  const seqs = seqsOf(store, row.id, cursor)
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)]
  const inForce = rangesInForce(store, row.id, row.revision)
  const messages = seqs.length === 0 ? [] : messagesOf(store, row.id, first, last)
  const at = cursor.at ?? (cursor.side === 'before' ? Number.MAX_SAFE_INTEGER : 0)
  return {
    messages: [...messages].map(
      ({ seq, role, text, damaged, at, turn }): Message => ({
        seq,
        role,
        text,
        ...(damaged === true && { damaged }),
        at,
        turn,
        superseded: !isInForce(inForce, seq)
      })
    ),
    inForce,
    more: {
      before: hasMessages(store, row.id, 'before', seqs.length === 0 ? at : first),
      after: hasMessages(store, row.id, 'after', seqs.length === 0 ? at : last)
    }
  }
}

function seqsOf(store: Store, session: string, { at, side = 'after', limit = DEFAULT_LIMIT }: Cursor): number[] {
  if (side === 'after') return seqsBeside(store, session, 'after', at ?? 0, limit)
  if (side === 'before') return seqsBeside(store, session, 'before', at ?? Number.MAX_SAFE_INTEGER, limit)
  const half = Math.ceil(limit / 2)
  return [
    ...seqsBeside(store, session, 'before', at ?? 0, limit - half),
    ...seqsBeside(store, session, 'after', (at ?? 0) - 1, half)
  ]
}
