/**
 * Owns table `tool_call`: opened by the event before a tool runs, closed by the event after it. While a call is open,
 * changes that it may have made are attributed to it (GW-4, drift/record.ts).
 */
import { newId, WITH_PREFIX } from './ids.ts'
import type { Store } from './open-store.ts'
import { all, column, count, run as execute, exists, get, inserter, scalar, type Writable } from './sql.ts'

/** Which paths a tool call may change: none, only those it names, or any path of the workspace. */
export type WriteScope = 'nothing' | 'paths' | 'folder'

/** `working`: it returned, but what it started still runs. `abandoned`: no event reported its end. */
type CallState = 'open' | 'working' | 'done' | 'failed' | 'abandoned'

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
  readonly wholeFolder: number
  /** 1 when the folder was scanned before it ran. */
  readonly complete: number
  readonly state: CallState
  readonly opened_at: number
  /** When it ended according to the transcript, before an event closed it. */
  readonly ended_at: number | null
  readonly closed_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
  /** Of a command, where it is reported apart from its end; null when not known. */
  readonly exit_code: number | null
}

const SELECT = 'SELECT *, wide AS wholeFolder FROM tool_call'
const CALL_BY_ID = `${SELECT} WHERE id = ?`
const OPEN_CALL = `${SELECT} WHERE session = ? AND closed_at IS NULL AND agent_call = ?`
const OLDEST_OPEN_CALL = `${SELECT} WHERE session = ? AND closed_at IS NULL AND agent_call IS NULL AND name = ? AND subagent IS ?
  ORDER BY opened_at, start_seq LIMIT 1`
const OPEN_CALLS_OF = `${SELECT} WHERE run = ? AND closed_at IS NULL ORDER BY opened_at`
const CALLS_OF = `${SELECT} WHERE run = ? ORDER BY opened_at, start_seq, rowid`

interface NewCall extends Pick<ToolCallRow, 'session' | 'run' | 'turn' | 'subagent' | 'name' | 'summary'> {
  readonly agentCall: string | null
  readonly paths: readonly string[]
  readonly writeScope: WriteScope
  readonly complete: boolean
}

const insertRow = inserter('tool_call', [
  ...(['id', 'session', 'run', 'turn', 'agent_call', 'subagent', 'name', 'summary'] as const),
  ...(['paths', 'wide', 'complete', 'state', 'opened_at', 'start_seq'] as const)
])

interface EndedCall
  extends Pick<
    ToolCallRow,
    'id' | 'session' | 'run' | 'turn' | 'subagent' | 'name' | 'summary' | 'state' | 'opened_at'
  > {
  readonly paths: readonly string[]
  readonly wholeFolder: boolean
  readonly complete: boolean
  readonly closed_at: number
  readonly start_seq: number
  readonly end_seq: number
}

const insertEnded = inserter('tool_call', [
  ...(['id', 'session', 'run', 'turn', 'subagent', 'name', 'summary', 'paths', 'wide', 'complete'] as const),
  ...(['state', 'opened_at', 'closed_at', 'start_seq', 'end_seq'] as const)
])

/** Opens a call at the newest position; returns its id. */
export function openCall(tx: Writable<Store>, call: NewCall, at: number): string {
  const id = newId('call')
  insertRow(tx, {
    id,
    session: call.session,
    run: call.run,
    turn: call.turn,
    agent_call: call.agentCall,
    subagent: call.subagent,
    name: call.name,
    summary: call.summary,
    paths: JSON.stringify(call.paths),
    wide: call.writeScope === 'folder' ? 1 : 0,
    complete: call.complete ? 1 : 0,
    state: 'open',
    opened_at: at,
    start_seq: tx.records.lastSeq()
  })
  return id
}

/** Closes a call at the newest position. */
export function closeCall(tx: Writable<Store>, id: string, state: CallState, at: number): void {
  const sql = 'UPDATE tool_call SET state = ?, closed_at = ?, end_seq = ? WHERE id = ?'
  execute(tx, sql, state, at, tx.records.lastSeq(), id)
}

/** Closes a run's open calls whose end was not reported. `working`: what becomes of those that work in the background. */
export function abandonCalls(tx: Writable<Store>, run: string, at: number, working: 'stay' | 'end'): void {
  const sql = `UPDATE tool_call SET state = iif(state = 'working', 'done', 'abandoned'), closed_at = ?, end_seq = ?
       WHERE run = ? AND closed_at IS NULL ${working === 'end' ? '' : "AND state <> 'working'"}`
  execute(tx, sql, at, tx.records.lastSeq(), run)
}

/** Closes all open calls of a run that ends. */
export function closeCallsOfRun(tx: Writable<Store>, run: string, seq: number, at: number): void {
  const sql = "UPDATE tool_call SET state = 'abandoned', closed_at = ?, end_seq = ? WHERE run = ? AND closed_at IS NULL"
  execute(tx, sql, at, seq, run)
}

/** A call that has ended, of another history. */
export function insertEndedCall(tx: Writable<Store>, call: EndedCall): void {
  insertEnded(tx, {
    ...call,
    paths: JSON.stringify(call.paths),
    wide: call.wholeFolder ? 1 : 0,
    complete: call.complete ? 1 : 0
  })
}

/** Extends the range of a call to an edit of it. It may have been closed before its edits are recorded. */
export function extendCall(tx: Writable<Store>, id: string, seq: number): void {
  execute(tx, 'UPDATE tool_call SET end_seq = ? WHERE id = ? AND end_seq < ?', seq, id, seq)
}

/** Adds paths that a call turned out to change to those it names. */
export function addCallPaths(tx: Writable<Store>, id: string, paths: readonly string[]): void {
  const named = scalar<string>(tx, 'SELECT paths FROM tool_call WHERE id = ?', id) ?? '[]'
  const union = [...new Set([...(JSON.parse(named) as string[]), ...paths])].sort()
  execute(tx, 'UPDATE tool_call SET paths = ? WHERE id = ?', JSON.stringify(union), id)
}

/** Records when a call ended that is still to be closed: later changes are not attributed to it. */
export function setCallEnd(tx: Writable<Store>, id: string, at: number): void {
  execute(tx, 'UPDATE tool_call SET ended_at = max(opened_at, ?) WHERE id = ?', at, id)
}

/** Sets the exit code of a command in a turn, by the agent's id of the call. Returns the call; null when it is not in it. */
export function setExitCode(tx: Writable<Store>, turn: string, agentCall: string, code: number): ToolCallRow | null {
  execute(tx, 'UPDATE tool_call SET exit_code = ? WHERE turn = ? AND agent_call = ?', code, turn, agentCall)
  return get(tx, `${SELECT} WHERE turn = ? AND agent_call = ?`, turn, agentCall)
}

/** The call returned but its work continues, so changes are attributed to it still. */
export function markWorking(tx: Writable<Store>, id: string): void {
  execute(tx, "UPDATE tool_call SET state = 'working' WHERE id = ?", id)
}

/**
 * The open call that an end event belongs to: by the agent's id, or the oldest one of that tool for agents without ids.
 */
export function findOpenCall(
  store: Store,
  session: string,
  use: { readonly call: string | null; readonly tool: string },
  subagent: string | null
): ToolCallRow | null {
  if (use.call !== null) return get(store, OPEN_CALL, session, use.call)
  return get(store, OLDEST_OPEN_CALL, session, use.tool, subagent)
}

/** Whether a call with this id of its agent was ever opened. */
export function isKnownCall(store: Store, session: string, agentCall: string): boolean {
  return exists(store, 'SELECT 1 FROM tool_call WHERE session = ? AND agent_call = ?', session, agentCall)
}

/** State of the newest call of a tool, for agents without ids; null = none. */
export function lastCallState(store: Store, session: string, tool: string, subagent: string | null): CallState | null {
  const sql =
    'SELECT state FROM tool_call WHERE session = ? AND agent_call IS NULL AND name = ? AND subagent IS ? ORDER BY rowid DESC LIMIT 1'
  return scalar(store, sql, session, tool, subagent)
}

export function findCall(store: Store, id: string): ToolCallRow | null {
  return get(store, CALL_BY_ID, id)
}

/** At most two calls whose id starts with `prefix`; an exact match comes first. */
export function callsWithPrefix(store: Store, prefix: string): ToolCallRow[] {
  const sql = `${SELECT} WHERE ${WITH_PREFIX} LIMIT 2`
  return all(store, sql, prefix, prefix)
}

/** Where the calls were opened that were open at some time from `since` to `until` (ms UTC), newest first, up to `most`. */
export function positionsBeforeCalls(store: Store, since: number, until: number, most: number): number[] {
  const sql = `SELECT start_seq FROM tool_call WHERE opened_at <= ? AND (closed_at IS NULL OR closed_at >= ?)
    ORDER BY opened_at DESC, rowid DESC LIMIT ?`
  return column(store, sql, until, since, most)
}

export function openCallsOf(store: Store, run: string): ToolCallRow[] {
  return all(store, OPEN_CALLS_OF, run)
}

export function callsOf(store: Store, run: string): ToolCallRow[] {
  return all(store, CALLS_OF, run)
}

/** The calls of a session; `copies`: also those in the turns of messages that it, a fork, copied from its original. */
export function callsOfSession(store: Store, session: string, copies: boolean): ToolCallRow[] {
  const copied = copies
    ? ' OR turn IN (SELECT turn FROM message WHERE session = (SELECT n FROM session WHERE id = ?))'
    : ''
  const sql = `${SELECT} WHERE session = ?${copied} ORDER BY opened_at, start_seq, rowid`
  return all(store, sql, session, ...(copies ? [session] : []))
}

/**
 * The session's newest call in a run without a result: an open one, or one that was abandoned when the run ended at
 * `endedAt`.
 */
export function unansweredCall(store: Store, run: string, session: string, endedAt: number | null): string | null {
  const sql = `SELECT id FROM tool_call WHERE run = ? AND session = ? AND (closed_at IS NULL OR (state = 'abandoned' AND closed_at = ?))
       ORDER BY opened_at DESC, rowid DESC LIMIT 1`
  return scalar(store, sql, run, session, endedAt)
}

/** How many calls of a run may have written before the folder was scanned. */
export function countIncompleteCalls(store: Store, run: string): number {
  const sql = "SELECT count(*) FROM tool_call WHERE run = ? AND complete = 0 AND (wide = 1 OR paths <> '[]')"
  return count(store, sql, run)
}

/** The paths that the calls of a run named, also those in other workspaces. */
export function pathsNamedIn(store: Store, run: string): string[] {
  const paths = column<string>(store, "SELECT paths FROM tool_call WHERE run = ? AND paths <> '[]'", run)
  return paths.flatMap((json) => JSON.parse(json) as string[])
}

type WritingCall = Pick<
  ToolCallRow,
  'id' | 'run' | 'turn' | 'paths' | 'wholeFolder' | 'complete' | 'opened_at' | 'ended_at' | 'start_seq'
>

/** Open calls of live runs that may write, newest first. */
export function openWritingCalls(store: Store): WritingCall[] {
  const sql = `SELECT c.id, c.run, c.turn, c.paths, c.wide AS wholeFolder, c.complete, c.opened_at, c.ended_at, c.start_seq
     FROM tool_call c JOIN run r ON r.id = c.run
     WHERE c.closed_at IS NULL AND r.state = 'live' AND (c.wide = 1 OR c.paths <> '[]') ORDER BY c.opened_at DESC`
  return all(store, sql)
}

/** Ended commands of runs that are live or ended at `since` or later, ms UTC; newest first. */
export function endedCommands(
  store: Store,
  since: number | null
): { run: string; turn: string; call: string; since: number; until: number }[] {
  const sql = `SELECT c.run, c.turn, c.id AS call, c.opened_at AS since, coalesce(c.ended_at, c.closed_at) AS until
     FROM run r JOIN turn t ON t.run = r.id JOIN tool_call c ON c.turn = t.id
     WHERE (r.state = 'live' OR r.ended_at >= ?) AND c.wide = 1 AND c.closed_at IS NOT NULL ORDER BY c.opened_at DESC`
  return all(store, sql, since)
}
