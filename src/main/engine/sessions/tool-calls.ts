/** Tool calls: opened by the event before a tool runs, closed by the one after it; open ones are windows (GW-4). */
import type { WriteScope } from '../agents/agent-action.ts'
import { prepareCached } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import type { Store } from '../store/open-store.ts'
import { liveRuns, type RunRow } from './runs.ts'

/** `working`: it was answered, but what it started goes on. `abandoned`: its end was never told. */
export type CallState = 'open' | 'working' | 'done' | 'failed' | 'abandoned'

export interface ToolCallRow {
  readonly id: string
  readonly session: string
  readonly run: string
  readonly turn: string
  readonly agent_call: string | null
  readonly subagent: string | null
  readonly name: string
  readonly summary: string
  /** JSON: root-relative paths it names. */
  readonly paths: string
  readonly wide: number
  /** 1 when the folder was compared with the log before it ran. */
  readonly complete: number
  readonly state: CallState
  readonly opened_at: number
  /** When it ended, while only the transcript tells so. */
  readonly ended_at: number | null
  readonly closed_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
}

export interface NewCall {
  readonly session: string
  readonly run: string
  readonly turn: string
  readonly agentCall: string | null
  readonly subagent: string | null
  readonly name: string
  readonly summary: string
  readonly paths: readonly string[]
  readonly writeScope: WriteScope
  readonly complete: boolean
}

/** Call inside a transaction. */
export function openCall(store: Store, call: NewCall, at: number): string {
  const id = newId('call')
  prepareCached(
    store.db,
    `INSERT INTO tool_call(id, session, run, turn, agent_call, subagent, name, summary, paths, wide, complete, state, opened_at, start_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)`
  ).run(
    id,
    call.session,
    call.run,
    call.turn,
    call.agentCall,
    call.subagent,
    call.name,
    call.summary,
    JSON.stringify(call.paths),
    call.writeScope === 'folder' ? 1 : 0,
    call.complete ? 1 : 0,
    at,
    store.records.lastSeq()
  )
  return id
}

/** The call an end belongs to: by the agent's id, else the oldest open one of that tool (for agents without ids). */
export function findOpenCall(
  store: Store,
  session: string,
  use: { readonly call: string | null; readonly tool: string },
  subagent: string | null
): ToolCallRow | null {
  const sql = 'SELECT * FROM tool_call WHERE session = ? AND closed_at IS NULL'
  const row =
    use.call !== null
      ? prepareCached(store.db, `${sql} AND agent_call = ?`).get(session, use.call)
      : prepareCached(
          store.db,
          `${sql} AND agent_call IS NULL AND name = ? AND subagent IS ? ORDER BY opened_at, start_seq LIMIT 1`
        ).get(session, use.tool, subagent)
  return (row as ToolCallRow | undefined) ?? null
}

/** Call inside a transaction. */
export function closeCall(store: Store, id: string, state: CallState, at: number): void {
  prepareCached(store.db, 'UPDATE tool_call SET state = ?, closed_at = ?, end_seq = ? WHERE id = ?').run(
    state,
    at,
    store.records.lastSeq(),
    id
  )
}

/** What a call turned out to change belongs to it, too. Call inside a transaction. */
export function addCallPaths(store: Store, id: string, paths: readonly string[]): void {
  const row = prepareCached(store.db, 'SELECT paths FROM tool_call WHERE id = ?').get(id) as { paths: string }
  const all = [...new Set([...(JSON.parse(row.paths) as string[]), ...paths])].sort()
  prepareCached(store.db, 'UPDATE tool_call SET paths = ? WHERE id = ?').run(JSON.stringify(all), id)
}

/** It is over since then, and about to be closed: what changed later is not its own. Call inside a transaction. */
export function setCallEnd(store: Store, id: string, at: number): void {
  prepareCached(store.db, 'UPDATE tool_call SET ended_at = max(opened_at, ?) WHERE id = ?').run(at, id)
}

/** It was answered and goes on: its window stays open. Call inside a transaction. */
export function markWorking(store: Store, id: string): void {
  prepareCached(store.db, "UPDATE tool_call SET state = 'working' WHERE id = ?").run(id)
}

/** Closes a run's open calls whose end was never told; with `all` also those that work in the background. Call inside a transaction. */
export function abandonCalls(store: Store, run: string, all: boolean, at: number): void {
  store.db
    .prepare(
      `UPDATE tool_call SET state = iif(state = 'working', 'done', 'abandoned'), closed_at = ?, end_seq = ?
       WHERE run = ? AND closed_at IS NULL ${all ? '' : "AND state <> 'working'"}`
    )
    .run(at, store.records.lastSeq(), run)
}

export function openCallsOf(store: Store, run: string): ToolCallRow[] {
  return prepareCached(store.db, 'SELECT * FROM tool_call WHERE run = ? AND closed_at IS NULL ORDER BY opened_at').all(
    run
  ) as ToolCallRow[]
}

/** [RS-8] Live runs that may write at any moment. One through our own tools writes only inside a call. */
export function busyRuns(store: Store): RunRow[] {
  return liveRuns(store).filter((run) => run.tools === 0 || openCallsOf(store, run.id).length > 0)
}

export function callsOf(store: Store, run: string): ToolCallRow[] {
  return prepareCached(store.db, 'SELECT * FROM tool_call WHERE run = ? ORDER BY opened_at, start_seq, rowid').all(
    run
  ) as ToolCallRow[]
}
