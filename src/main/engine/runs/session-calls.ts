/** Tool calls as a conversation shows them: with counts of the lines each one wrote, and the end of what a command printed. */
import type { SessionCall } from '../../../contract/conversation.ts'
import { changesOfCall } from '../diff/changes.ts'
import { describeChanges } from '../diff/describe-changes.ts'
import { withRenames } from '../diff/renames.ts'
import { outputsOf } from '../store/call-outputs.ts'
import type { Store } from '../store/open-store.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'
import { describeCalls } from './describe-calls.ts'

/** Time limit for counting lines in one answer, ms. Counts are cached by pair of versions, so the next answer continues. */
const COUNTING_MS = 120
/** An open command that has changed more paths is counted when it ends: it is part of every update until then. */
const MAX_COUNTED_WHILE_OPEN = 200

export function describeSessionCalls(store: Store, rows: readonly ToolCallRow[]): SessionCall[] {
  const calls = describeCalls(store, rows)
  // null: not counted.
  const changes = rows.map((row, index) =>
    row.closed_at === null && calls[index]!.changedCount > MAX_COUNTED_WHILE_OPEN
      ? null
      : withRenames(store, changesOfCall(store, row))
  )
  // All calls in one list: the time limit is for all of them together.
  const files = describeChanges(
    store,
    changes.flatMap((ofCall) => ofCall ?? []),
    COUNTING_MS
  )
  const outputs = outputsOf(store, rows)
  let from = 0
  return calls.map((call, index): SessionCall => {
    const own = changes[index]
    const counts = files.slice(from, from + (own?.length ?? 0))
    from += counts.length
    const counted = own !== null && counts.every((file) => file.counted)
    const sum = (key: 'added' | 'deleted'): number => (counted ? counts.reduce((all, file) => all + file[key], 0) : 0)
    return { ...call, added: sum('added'), deleted: sum('deleted'), counted, output: outputs.get(call.id) ?? null }
  })
}
