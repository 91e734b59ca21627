/** Tool calls as the contract has them: each with the paths it changed, named by it or as a side effect of its command. */
import type { CallChange, ToolCall } from '../../../contract/conversation.ts'
import type { Attribution } from '../../../contract/log.ts'
import { pathsChangedBy } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'

/** Paths listed per call. A command may change thousands; the run's diff has all of them. */
const MAX_PATHS = 200

/** By the number in the column `attribution`. */
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export function describeCalls(store: Store, rows: readonly ToolCallRow[]): ToolCall[] {
  const lastSeq = store.records.lastSeq()
  return rows.map((row) => {
    const changed = pathsChangedBy(store, {
      id: row.id,
      run: row.run,
      startSeq: row.start_seq,
      endSeq: row.end_seq ?? lastSeq
    })
    return {
      id: row.id,
      turn: row.turn,
      name: row.name,
      summary: row.summary,
      state: row.state,
      startedAt: row.opened_at,
      endedAt: row.closed_at,
      paths: JSON.parse(row.paths) as string[],
      subagent: row.subagent,
      complete: row.complete === 1 || (row.wholeFolder === 0 && row.paths === '[]'),
      changedCount: changed.length,
      changed: changed
        .slice(0, MAX_PATHS)
        .map(({ name, attribution }): CallChange => ({ path: name, attribution: ATTRIBUTIONS[attribution]! }))
    }
  })
}
