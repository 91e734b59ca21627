/**
 * Owns table `run`: one row per prompt of an agent with everything until it is idle again, or per `driftline run`. A
 * run that has ended stays ended; only its title, its note and whether it is undone change afterwards. What a person wrote
 * about it is in run-texts.ts.
 */
import type { SessionPosition } from '../../../contract/conversation.ts'
import type { Seq } from '../../../contract/log.ts'
import type { RunEntry, RunNote, RunNoteCode, RunState } from '../../../contract/timeline.ts'
import type { ProcessId } from '../ports/processes.ts'
import type { Store } from './open-store.ts'
import { RUN_NAME } from './run-texts.ts'
import { all, column, count, run as execute, exists, get, inserter, type Writable } from './sql.ts'
import { nextOrdinal } from './timeline.ts'

/**
 * What reports the work of a run.
 * command  nothing: `driftline run` opens and ends it. Every change in between is attributed to it, except while an agent
 *          works in it whose hooks report (RN-2).
 * hooks    hooks of its agent: only changes during a tool call are attributed to it (GW-4).
 * tools    Driftline's file tools: it writes only during their calls, which take turns with restores.
 */
export type RunSource = 'command' | 'hooks' | 'tools'

export interface RunRow {
  readonly id: string
  readonly n: number
  readonly session: string | null
  readonly agent: string
  readonly title: string
  /** Its label, else its title. */
  readonly name: string
  readonly state: RunState
  readonly started_at: number
  readonly ended_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
  readonly start_checkpoint: string
  readonly end_checkpoint: string | null
  readonly exit_code: number | null
  readonly completion: SessionPosition['completion']
  /** Read by `notesOf`: codes, separated by "; ". */
  readonly note: string
  readonly drifted: number
  readonly incomplete: number
  /** 1 when all of its edits are undone (restore/record.ts). */
  readonly taken_back: number
  readonly files: number
  readonly added: number
  readonly deleted: number
  readonly pid: number
  readonly pid_start: string
  readonly source: RunSource
  /** 1 for a run of `driftline run` in which an agent works, or has worked, whose hooks report (RN-2). */
  readonly isJoined: number
  readonly wasJoined: number
  readonly last_event_at: number
}

/** All columns; `hooked` and `tools` also as what they stand for. */
const SELECT = `SELECT r.*, ${RUN_NAME} AS name, iif(tools = 1, 'tools', iif(hooked = 1, 'hooks', 'command')) AS source,
  hooked = 2 AS isJoined, hooked IN (2, 3) AS wasJoined FROM run r`
const RUN_BY_ID = `${SELECT} WHERE id = ?`
const LIVE_RUNS = `${SELECT} WHERE state = 'live' ORDER BY n`
const LAST_RUN_OF = `${SELECT} WHERE session = ? ORDER BY n DESC LIMIT 1`

interface NewRun extends Pick<RunRow, 'id' | 'title' | 'agent' | 'session' | 'source'> {
  readonly process: ProcessId
  readonly startSeq: number
  readonly startCheckpoint: string
  readonly drifted: boolean
  readonly incomplete: boolean
}

const insertRow = inserter('run', [
  ...(['id', 'n', 'session', 'agent', 'title', 'state', 'started_at', 'start_seq', 'start_checkpoint'] as const),
  ...(['drifted', 'incomplete', 'pid', 'pid_start', 'hooked', 'tools', 'last_event_at'] as const)
])

export function insertRun(tx: Writable<Store>, run: NewRun, at: number): void {
  insertRow(tx, {
    id: run.id,
    n: nextOrdinal(tx, 'run'),
    session: run.session,
    agent: run.agent,
    title: run.title,
    state: 'live',
    started_at: at,
    start_seq: run.startSeq,
    start_checkpoint: run.startCheckpoint,
    drifted: run.drifted ? 1 : 0,
    incomplete: run.incomplete ? 1 : 0,
    pid: run.process.pid,
    pid_start: run.process.start,
    hooked: run.source === 'command' ? 0 : 1,
    tools: run.source === 'tools' ? 1 : 0,
    last_event_at: at
  })
}

interface RunEnd extends Pick<RunRow, 'state' | 'files' | 'added' | 'deleted' | 'completion'> {
  readonly seq: number
  readonly checkpoint: string | null
  readonly exitCode: number | null
}

export function setRunEnd(tx: Writable<Store>, id: string, end: RunEnd, at: number): void {
  const sql = `UPDATE run SET state = @state, ended_at = @at, end_seq = @seq, end_checkpoint = @checkpoint, exit_code = @exitCode,
    files = @files, added = @added, deleted = @deleted, completion = @completion WHERE id = @id`
  execute(tx, sql, { ...end, id, at })
}

/** Counts the changes of an ended run again. */
export function setRunTotals(
  tx: Writable<Store>,
  id: string,
  totals: Pick<RunRow, 'files' | 'added' | 'deleted'>
): void {
  execute(tx, 'UPDATE run SET files = @files, added = @added, deleted = @deleted WHERE id = @id', { ...totals, id })
}

/** Names the conversation of a run that was opened before its prompt was known. */
export function assignRun(
  tx: Writable<Store>,
  id: string,
  { title, agent, session }: { readonly title: string; readonly agent: string; readonly session: string }
): void {
  execute(tx, 'UPDATE run SET title = ?, agent = ?, session = ? WHERE id = ?', title, agent, session, id)
}

/** Changes the title if it is still `from`. */
export function retitleRun(tx: Writable<Store>, id: string, from: string, to: string): void {
  execute(tx, 'UPDATE run SET title = ? WHERE id = ? AND title = ?', to, id, from)
}

/** [RN-2] Which changes are attributed to a run. */
export function attributedTo({ source, wasJoined }: Pick<RunRow, 'source' | 'wasJoined'>): RunEntry['attributed'] {
  return source === 'command' && wasJoined === 0 ? 'all-changes' : 'tool-calls'
}

const NOTES: ReadonlySet<string> = new Set<RunNoteCode>([
  'stopped',
  'stopped-with-command',
  'remembers',
  'rewound',
  'found-later'
])

export function notesOf({ note }: Pick<RunRow, 'note'>): RunNote[] {
  const parts = note === '' ? [] : note.split('; ')
  return parts.map((part) => (NOTES.has(part) ? { code: part as RunNoteCode } : { code: 'text', text: part }))
}

/** Adds a note unless the run has it already. */
export function addRunNote(tx: Writable<Store>, run: string, note: RunNoteCode): void {
  const sql = "UPDATE run SET note = iif(note = '', ?, note || '; ' || ?) WHERE id = ? AND instr(note, ?) = 0"
  execute(tx, sql, note, note, run, note)
}

/** The run that made the newest edit; null if it was made outside, or by several runs. */
export function writerOfLastEdit(store: Store): RunRow | null {
  const rows = all<RunRow>(
    store,
    `${SELECT} WHERE id IN (SELECT run FROM edit_call WHERE edit = (SELECT max(seq) FROM edit))`
  )
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/** Versions before its edits may be missing. */
export function markIncomplete(tx: Writable<Store>, run: string): void {
  execute(tx, 'UPDATE run SET incomplete = 1 WHERE id = ?', run)
}

export function markLiveRunsIncomplete(tx: Writable<Store>): void {
  execute(tx, "UPDATE run SET incomplete = 1 WHERE state = 'live' AND incomplete = 0")
}

export function setRunUndone(tx: Writable<Store>, run: string, isUndone: boolean): void {
  execute(tx, 'UPDATE run SET taken_back = ? WHERE id = ?', isUndone ? 1 : 0, run)
}

/** Sets when a live run was last heard from, so that it does not count as idle. False when it has ended. */
export function touchRun(tx: Writable<Store>, run: string, at: number): boolean {
  return execute(tx, "UPDATE run SET last_event_at = ? WHERE id = ? AND state = 'live'", at, run).changes === 1
}

/** The same for the run that a session works in. */
export function touchRunOfSession(tx: Writable<Store>, session: string, at: number): void {
  execute(tx, 'UPDATE run SET last_event_at = ? WHERE id = (SELECT run FROM session WHERE id = ?)', at, session)
}

/** [RN-2] An agent whose hooks report works in a run of `driftline run` from now on. */
export function joinRun(tx: Writable<Store>, run: string): void {
  execute(tx, 'UPDATE run SET hooked = 2 WHERE id = ? AND hooked IN (0, 3)', run)
}

/** [RN-2] The session of an agent in a run of `driftline run` ended; others may still work in it. */
export function leaveRun(tx: Writable<Store>, run: string, session: string): void {
  // A client of the file tools has a session, too, but no messages.
  const sql = `UPDATE run SET hooked = 3 WHERE id = ? AND hooked = 2
    AND NOT EXISTS (SELECT 1 FROM session WHERE run = ? AND id <> ? AND (revision > 0 OR transcript IS NOT NULL))`
  execute(tx, sql, run, run, session)
}

export function findRun(store: Store, id: string): RunRow | null {
  return get(store, RUN_BY_ID, id)
}

export function liveRuns(store: Store): RunRow[] {
  return all(store, LIVE_RUNS)
}

export function lastRunOf(store: Store, session: string): RunRow | null {
  return get(store, LAST_RUN_OF, session)
}

/** Whether a run of a session, or the one that it works in, is live. */
export function isSessionLive(store: Store, session: { readonly id: string; readonly run: string | null }): boolean {
  const sql = "SELECT 1 FROM run WHERE (session = ? OR id = ?) AND state = 'live'"
  return exists(store, sql, session.id, session.run)
}

/** Interrupted runs that ended after `after` and are not undone, newest first. */
export function interruptedRuns(store: Store, after: number): RunRow[] {
  const sql = `${SELECT} WHERE state = 'interrupted' AND taken_back = 0 AND ended_at > ? ORDER BY n DESC`
  return all(store, sql, after)
}

/** Whether a later run belongs to this session or to a fork of it. */
export function wasSessionContinued(store: Store, run: RunRow, session: string): boolean {
  const sql =
    'SELECT 1 FROM run WHERE n > ? AND (session = ? OR session IN (SELECT id FROM session WHERE forked_from = ?)) LIMIT 1'
  return exists(store, sql, run.n, session, session)
}

/** Whether a later run has ended normally. */
export function hasLaterEndedRun(store: Store, run: RunRow): boolean {
  return exists(store, "SELECT 1 FROM run WHERE n > ? AND state = 'ended' LIMIT 1", run.n)
}

/** Number of runs that started at `time` (ms UTC) or later. */
export function countRunsSince(store: Store, time: number): number {
  return count(store, 'SELECT count(*) FROM run WHERE started_at >= ?', time)
}

export function countRunsOf(store: Store, session: string): number {
  return count(store, 'SELECT count(*) FROM run WHERE session = ?', session)
}

/** Runs that began before a position and were live there. Reads all runs. */
export function runsAcross(store: Store, seq: Seq): string[] {
  return column(store, 'SELECT id FROM run WHERE start_seq < ? AND (end_seq IS NULL OR end_seq >= ?)', seq, seq)
}
