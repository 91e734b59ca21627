/**
 * Deletes the text of a conversation: messages, titles, prompts, todos, plans, tool inputs and command output. The
 * edits of its runs stay, without a title. Rows of messages stay without text, so that reading the agent's transcript
 * again does not add them back.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { deleteText, rewriteText } from '../store/conversation-text.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { isSessionLive } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'

/** Title of a run whose conversation was deleted. */
export const DELETED_TITLE = 'Deleted conversation'

/**
 * Throws UnknownTarget, and Refused while a run of the conversation is live. Free pages and the write-ahead log still
 * hold the text until the next vacuum (retention/vacuum.ts).
 */
export function deleteConversation(store: Store, id: string): { messages: number; runs: number } {
  return rewriteText(store, (tx) => {
    const session = findSession(tx, id)
    if (!session || session.deleted === 1)
      throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
    if (isSessionLive(tx, session))
      throw new DriftlineError(
        'Refused',
        'This conversation is live: its agent is still working. Nothing was deleted. Delete it when the run has ended.',
        { session: id }
      )
    const deleted = deleteText(tx, id, DELETED_TITLE)
    bumpRev(tx)
    return deleted
  })
}
