/** Tool calls as the contract has them: each with the paths it changed, named by it or as a side effect of its command. */
import type { CallChange, ToolCall } from '../../../contract/conversation.ts'
import type { Attribution } from '../../../contract/log.ts'
import type { Store } from '../store/open-store.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'

/** Paths listed per call. A command may change thousands; the run's diff has all of them. */
const MAX_PATHS = 200

/** By the number in the column `attribution`. */
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export function describeCalls(store: Store, rows: readonly ToolCallRow[]): ToolCall[] {
  // Without created and deleted directories: the paths in them imply those.
  const selectChanged = store.db.prepare(
    `SELECT p.name, max(e.attribution) AS attribution FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
     JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
     WHERE c.run = ? AND c.edit > ? AND c.edit <= ? AND c.call = ? AND a.kind <> 3 AND NOT (a.kind = 0 AND b.kind = 3)
     GROUP BY p.name ORDER BY p.name`
  )
  const lastSeq = store.records.lastSeq()
  return rows.map((row) => {
    const changed = selectChanged.all(row.run, row.start_seq, row.end_seq ?? lastSeq, row.id) as {
      name: string
      attribution: number
    }[]
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
      complete: row.complete === 1 || (row.wide === 0 && row.paths === '[]'),
      changedCount: changed.length,
      changed: changed
        .slice(0, MAX_PATHS)
        .map(({ name, attribution }): CallChange => ({ path: name, attribution: ATTRIBUTIONS[attribution]! }))
    }
  })
}
