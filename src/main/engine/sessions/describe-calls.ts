/** Tool calls as callers see them: with the paths each one changed, by name or as a side effect of its command. */
import type { CallChange, ToolCall } from '../../../contract/conversation.ts'
import type { Attribution } from '../../../contract/log.ts'
import type { Store } from '../store/open-store.ts'
import type { ToolCallRow } from './tool-calls.ts'

/** Paths told of one call; a command may change thousands, and the run's diff has them all. */
const MAX_PATHS = 200

const ATTRIBUTED: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export function describeCalls(store: Store, rows: readonly ToolCallRow[]): ToolCall[] {
  // Folders that come and go are said by what is in them.
  const changed = store.db.prepare(
    `SELECT p.name, max(e.attribution) AS attribution FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
     JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
     WHERE c.run = ? AND c.edit > ? AND c.edit <= ? AND c.call = ? AND a.kind <> 3 AND NOT (a.kind = 0 AND b.kind = 3)
     GROUP BY p.name ORDER BY p.name`
  )
  const last = store.records.lastSeq()
  return rows.map((row) => {
    const all = changed.all(row.run, row.start_seq, row.end_seq ?? last, row.id) as {
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
      changedCount: all.length,
      changed: all
        .slice(0, MAX_PATHS)
        .map((one): CallChange => ({ path: one.name, attribution: ATTRIBUTED[one.attribution] as Attribution }))
    }
  })
}
