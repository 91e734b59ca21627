/**
 * Tool calls as the contract has them: each with the paths it changed, named by it or as a side effect of its command.
 */
import type { CallChange, SessionCall, ToolCall } from '../../../contract/conversation.ts'
import type { Attribution } from '../../../contract/log.ts'
import { changesOfCall } from '../diff/changes.ts'
import { describeChanges } from '../diff/describe-changes.ts'
import { withRenames } from '../diff/renames.ts'
import { outputsOf } from '../store/call-outputs.ts'
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
    const { id, run, start_seq, end_seq } = row
    const changed = pathsChangedBy(store, { id, run, startSeq: start_seq, endSeq: end_seq ?? lastSeq })
    return {
      id,
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

/**
 * Time limit for counting lines in one answer, ms. Counts are cached by pair of versions, so the next answer continues.
 */
const COUNTING_MS = 120
/** An open command that has changed more paths is counted when it ends: it is part of every update until then. */
const MAX_COUNTED_WHILE_OPEN = 200

/**
 * Tool calls as a conversation shows them: with counts of the lines each one wrote, and the end of what a command
 * printed.
 */
export function describeSessionCalls(store: Store, rows: readonly ToolCallRow[]): SessionCall[] {
  const calls = describeCalls(store, rows)
  // null: not counted.
  const changes = rows.map((row, index) =>
    row.closed_at === null && calls[index]!.changedCount > MAX_COUNTED_WHILE_OPEN
      ? null
      : withRenames(store, changesOfCall(store, row))
  )
  // All calls in one list: the time limit is for all of them together.
  const all = changes.flatMap((ofCall) => ofCall ?? [])
  const files = describeChanges(store, all, COUNTING_MS)
  const outputs = outputsOf(store, rows)
  return calls.map((call, index): SessionCall => {
    const own = changes[index]
    const counts = files.splice(0, own?.length ?? 0)
    const counted = own !== null && counts.every((file) => file.counted)
    const sum = (key: 'added' | 'deleted'): number => (counted ? counts.reduce((all, file) => all + file[key], 0) : 0)
    const renames = own?.filter(({ oldPath }) => oldPath !== undefined).length ?? 0
    const output = outputs.get(call.id) ?? null
    return { ...call, renames, added: sum('added'), deleted: sum('deleted'), counted, output }
  })
}
