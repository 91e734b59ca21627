/**
 * Adds messages to a session. A message usually arrives twice: with a hook event, and later in the agent's transcript, which
 * confirms it.
 */
import {
  confirmMessage,
  hasMessage,
  insertMessage,
  isFromHook,
  lastMessage,
  lastMessageSeq,
  type MessageRow
} from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { advanceRevision } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'

export type NewMessage = Pick<MessageRow, 'turn' | 'role' | 'text' | 'at' | 'source'>

/**
 * Appends a message unless it is recorded already: under the same source, or with the same text by a hook event and now
 * in the transcript, or the reverse. Returns whether it is new.
 */
export function addMessage(tx: Writable<Store>, session: string, message: NewMessage): boolean {
  const text = message.text.trim()
  if (text === '' || hasMessage(tx, session, message.source)) return false
  if (isFromHook(message)) {
    // The transcript was faster. Only the agent's last answer is repeated by an event.
    const last = message.role === 'assistant' ? lastMessage(tx, session, 'assistant') : null
    if (last?.text === text && !isFromHook(last)) return false
  } else if (confirmMessage(tx, session, { ...message, text })) return false
  // A prompt continues from all messages that the agent remembers, including those undone here, so it always moves the
  // revision. An answer does so only if nothing was undone: otherwise it was found late and belongs to the undone part.
  const previous = lastMessageSeq(tx, session)
  insertMessage(tx, { ...message, session, seq: previous + 1, parent: previous, text })
  advanceRevision(tx, session, { seq: previous + 1, previous, isPrompt: message.role === 'user' })
  return true
}
