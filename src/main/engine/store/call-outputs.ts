/**
 * Owns table `call_output`: the end of what each command printed. It belongs to the text of a conversation and is
 * deleted with it (runs/delete-conversation.ts).
 */
import type { CallOutput } from '../../../contract/conversation.ts'
import { DAMAGED_OUTPUT } from '../../../contract/words/damage.ts'
import type { Store } from './open-store.ts'
import { run as execute, get, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'

export function saveOutput(tx: Writable<Store>, call: string, { text, cut }: CallOutput): void {
  const sql = `INSERT OR REPLACE INTO call_output(call, text, cut, sum) VALUES (@call, @text, @cut, ${sumOf('@text')})`
  execute(tx, sql, { call, text, cut: cut ? 1 : 0 })
}

const READ = `SELECT ${readable('o', 'text', DAMAGED_OUTPUT)} AS text, cut FROM call_output o WHERE call = ?`

/** Outputs by call id. Calls without output are missing. */
export function outputsOf(store: Store, calls: readonly { readonly id: string }[]): ReadonlyMap<string, CallOutput> {
  return new Map(
    calls.flatMap(({ id }): [string, CallOutput][] => {
      const row = get<{ text: string; cut: number }>(store, READ, id)
      return row ? [[id, { text: row.text, cut: row.cut === 1 }]] : []
    })
  )
}
