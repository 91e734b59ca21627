/**
 * Owns table `call_output`: the end of what each command printed. It belongs to the text of a conversation and is
 * deleted with it (runs/delete-conversation.ts).
 */
import type { CallOutput } from '../../../contract/conversation.ts'
import type { Store } from './open-store.ts'
import { run as execute, get, type Writable } from './sql.ts'

export function saveOutput(tx: Writable<Store>, call: string, { text, cut }: CallOutput): void {
  execute(tx, 'INSERT OR REPLACE INTO call_output(call, text, cut) VALUES (?, ?, ?)', call, text, cut ? 1 : 0)
}

/** Outputs by call id. Calls without output are missing. */
export function outputsOf(store: Store, calls: readonly { readonly id: string }[]): ReadonlyMap<string, CallOutput> {
  return new Map(
    calls.flatMap(({ id }): [string, CallOutput][] => {
      const row = get<{ text: string; cut: number }>(store, 'SELECT text, cut FROM call_output WHERE call = ?', id)
      return row ? [[id, { text: row.text, cut: row.cut === 1 }]] : []
    })
  )
}
