/** The conversation's side of a restore: what it would do, its journal, and doing it in the restore's own transaction. */
import type { RestoreEntry } from '../../../contract/domain.ts'
import type { Store } from '../store/open-store.ts'

/** For lists: what a restore did to a conversation, and its mode. */
export function conversationRestored(store: Store, restore: string): Pick<RestoreEntry, 'mode' | 'conversation'> {
  void [store, restore]
  return { mode: 'files', conversation: null }
}
