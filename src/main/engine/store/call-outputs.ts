/** The end of what each command printed. It belongs to the text of a conversation and is deleted with it (delete-conversation.ts). */
import type { CallOutput } from '../../../contract/conversation.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from './open-store.ts'

/** Call inside a transaction. */
export function saveOutput(store: Store, call: string, { text, cut }: CallOutput): void {
  prepareCached(store.db, 'INSERT OR REPLACE INTO call_output(call, text, cut) VALUES (?, ?, ?)').run(
    call,
    text,
    cut ? 1 : 0
  )
}

/** Outputs by call id. Calls without output are missing. */
export function outputsOf(store: Store, calls: readonly { readonly id: string }[]): ReadonlyMap<string, CallOutput> {
  const find = prepareCached(store.db, 'SELECT text, cut FROM call_output WHERE call = ?')
  return new Map(
    calls.flatMap(({ id }): [string, CallOutput][] => {
      const row = find.get(id) as { text: string; cut: number } | undefined
      return row ? [[id, { text: row.text, cut: row.cut === 1 }]] : []
    })
  )
}
