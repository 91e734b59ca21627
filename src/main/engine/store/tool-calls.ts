/**
 * Tool calls: opened by the event before a tool runs, closed by the event after it. While a call is open, changes that it may
 * have made are attributed to it (GW-4, authors.ts).
 */
import type { WriteScope } from '../agents/agent-action.ts'
import { prepareCached } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import type { Store } from './open-store.ts'
import { liveRuns, type RunRow } from './runs.ts'

/** `working`: it returned, but what it started still runs. `abandoned`: no event reported its end. */
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
  /** JSON: the root-relative paths it names. */
  readonly paths: string
  /** 1 when it may write anywhere in the folder, as a command may. */
  readonly wide: number
  /** 1 when the folder was scanned before it ran. */
  readonly complete: number
  readonly state: CallState
  readonly opened_at: number
  /** When it ended according to the transcript, before an event closed it. */
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

/** The open call that an end event belongs to: by the agent's id, or the oldest one of that tool for agents without ids. */
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

/** Adds paths that a call turned out to change to those it names. Call inside a transaction. */
export function addCallPaths(store: Store, id: string, paths: readonly string[]): void {
  const row = prepareCached(store.db, 'SELECT paths FROM tool_call WHERE id = ?').get(id) as { paths: string }
  const all = [...new Set([...(JSON.parse(row.paths) as string[]), ...paths])].sort()
  prepareCached(store.db, 'UPDATE tool_call SET paths = ? WHERE id = ?').run(JSON.stringify(all), id)
}

/** Records when a call ended that is still to be closed: later changes are not attributed to it. Call inside a transaction. */
export function setCallEnd(store: Store, id: string, at: number): void {
  prepareCached(store.db, 'UPDATE tool_call SET ended_at = max(opened_at, ?) WHERE id = ?').run(at, id)
}

/** The call returned but its work continues, so changes are attributed to it still. Call inside a transaction. */
export function markWorking(store: Store, id: string): void {
  prepareCached(store.db, "UPDATE tool_call SET state = 'working' WHERE id = ?").run(id)
}

/** Closes a run's open calls whose end was not reported; with `all` also those that work in the background. Call inside a transaction. */
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

/** [RS-8] Live runs that may write at any moment. A run through the file tools writes only during a call. */
export function busyRuns(store: Store): RunRow[] {
  return liveRuns(store).filter((run) => run.tools === 0 || openCallsOf(store, run.id).length > 0)
}

export function callsOf(store: Store, run: string): ToolCallRow[] {
  return prepareCached(store.db, 'SELECT * FROM tool_call WHERE run = ? ORDER BY opened_at, start_seq, rowid').all(
    run
  ) as ToolCallRow[]
}
