/** Tool calls as a conversation shows them: with the lines each one wrote, and the end of what a command printed. */
import type { SessionCall } from '../../../contract/conversation.ts'
import { changesOfCall } from '../diff/changes.ts'
import { describeChanges } from '../diff/describe-changes.ts'
import { withRenames } from '../diff/detect-renames.ts'
import type { Store } from '../store/open-store.ts'
import { outputsOf } from './call-outputs.ts'
import { describeCalls } from './describe-calls.ts'
import type { ToolCallRow } from './tool-calls.ts'

/** An answer does not wait longer for line counts; each pair of versions is counted once, so the next one goes on. */
const COUNTING_MS = 120
/** A command that works and has changed more than this is counted when it ends: it is told again and again until then. */
const MAX_COUNTED_WHILE_OPEN = 200

export function describeSessionCalls(store: Store, rows: readonly ToolCallRow[]): SessionCall[] {
  const told = describeCalls(store, rows)
  const changes = rows.map((row, index) =>
    row.closed_at === null && told[index]!.changedCount > MAX_COUNTED_WHILE_OPEN
      ? null
      : withRenames(store, changesOfCall(store, row))
  )
  const files = describeChanges(
    store,
    changes.flatMap((of) => of ?? []),
    COUNTING_MS
  )
  const outputs = outputsOf(store, rows)
  let from = 0
  return told.map((call, index): SessionCall => {
    const own = changes[index]
    const counts = files.slice(from, from + (own?.length ?? 0))
    from += counts.length
    const counted = own !== null && counts.every((file) => file.counted)
    const sum = (of: 'added' | 'deleted'): number => (counted ? counts.reduce((all, file) => all + file[of], 0) : 0)
    return { ...call, added: sum('added'), deleted: sum('deleted'), counted, output: outputs.get(call.id) ?? null }
  })
}
