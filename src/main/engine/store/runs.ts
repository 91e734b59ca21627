/** Runs and turns, and which edits belong to them. At most one turn of a run is open, and a run that has ended stays ended. */
import type { SessionPosition } from '../../../contract/conversation.ts'
import type { RunState } from '../../../contract/timeline.ts'
import { prepareCached } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import type { ProcessId } from '../ports/processes.ts'
import { addEntry, nextOrdinal } from './timeline.ts'
import type { Store } from './open-store.ts'

export interface RunRow {
  readonly id: string
  readonly n: number
  readonly session: string | null
  readonly agent: string
  readonly title: string
  readonly state: RunState
  readonly started_at: number
  readonly ended_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
  readonly start_checkpoint: string
  readonly end_checkpoint: string | null
  readonly exit_code: number | null
  readonly completion: SessionPosition['completion']
  /** What a person should know about the run, "" when nothing; several notes are separated by "; ". */
  readonly note: string
  readonly drifted: number
  readonly incomplete: number
  /** 1 when all of its edits are undone (undone.ts). */
  readonly taken_back: number
  readonly files: number
  readonly added: number
  readonly deleted: number
  readonly pid: number
  readonly pid_start: string
  /** 1: hooks report its tool calls, so only changes during a call are attributed to it (GW-4). */
  readonly hooked: number
  /** 1: it works through Driftline's file tools. It writes only during its calls, which take turns with restores. */
  readonly tools: number
  readonly last_event_at: number
}

export interface TurnRow {
  readonly id: string
  readonly run: string
  readonly n: number
  readonly prompt: string
  readonly started_at: number
  readonly ended_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
}

/**
 * SQL condition on a checkpoint: a turn starts there. The first turn of a run shares the checkpoint of the run, which is at the
 * same position.
 */
export const STARTS_TURN = "reason IN ('run_start', 'pre_write')"

/** SQL expression: the session of turn `t`. Turns of one `driftline run` may belong to different sessions. */
export const TURN_SESSION = `coalesce((SELECT c.session FROM checkpoint c WHERE c.run = t.run AND c.turn = t.id AND c.${STARTS_TURN}),
  (SELECT r.session FROM run r WHERE r.id = t.run))`

export interface NewRun {
  readonly title: string
  readonly agent: string
  readonly session: string | null
  readonly process: ProcessId
  readonly startSeq: number
  readonly startCheckpoint: string
  readonly drifted: boolean
  readonly incomplete: boolean
  readonly hooked?: boolean
}

/** Opens a run with its first turn; returns both ids. Call inside a transaction. */
export function openRun(store: Store, run: NewRun, at: number): { run: string; turn: string } {
  const id = newId('run')
  prepareCached(
    store.db,
    `INSERT INTO run(id, n, session, agent, title, state, started_at, start_seq, start_checkpoint, drifted, incomplete, pid, pid_start, hooked, last_event_at)
       VALUES (?, ?, ?, ?, ?, 'live', ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  ).run(
    id,
    nextOrdinal(store, 'run'),
    run.session,
    run.agent,
    run.title,
    at,
    run.startSeq,
    run.startCheckpoint,
    run.drifted ? 1 : 0,
    run.incomplete ? 1 : 0,
    run.process.pid,
    run.process.start,
    run.hooked ? 1 : 0,
    at
  )
  const turn = newId('turn')
  prepareCached(store.db, 'INSERT INTO turn(id, run, n, prompt, started_at, start_seq) VALUES (?, ?, 1, ?, ?, ?)').run(
    turn,
    id,
    run.title,
    at,
    run.startSeq
  )
  prepareCached(store.db, 'UPDATE checkpoint SET run = ?, turn = ?, session = ? WHERE id = ?').run(
    id,
    turn,
    run.session,
    run.startCheckpoint
  )
  addEntry(store, 'run', id)
  return { run: id, turn }
}

/** Ends a run, its open turn and its open calls at position `end.seq`, and detaches its sessions. Call inside a transaction. */
export function closeRun(
  store: Store,
  id: string,
  end: {
    readonly state: RunState
    readonly seq: number
    readonly checkpoint: string | null
    readonly exitCode: number | null
    readonly files: number
    readonly added: number
    readonly deleted: number
    readonly incomplete: boolean
    readonly completion: SessionPosition['completion']
  },
  at: number
): void {
  prepareCached(
    store.db,
    `UPDATE run SET state = ?, ended_at = ?, end_seq = ?, end_checkpoint = ?, exit_code = ?, files = ?, added = ?, deleted = ?,
       incomplete = max(incomplete, ?), completion = ? WHERE id = ?`
  ).run(
    end.state,
    at,
    end.seq,
    end.checkpoint,
    end.exitCode,
    end.files,
    end.added,
    end.deleted,
    end.incomplete ? 1 : 0,
    end.completion,
    id
  )
  prepareCached(store.db, 'UPDATE turn SET ended_at = ?, end_seq = ? WHERE run = ? AND ended_at IS NULL').run(
    at,
    end.seq,
    id
  )
  prepareCached(
    store.db,
    "UPDATE tool_call SET state = 'abandoned', closed_at = ?, end_seq = ? WHERE run = ? AND closed_at IS NULL"
  ).run(at, end.seq, id)
  prepareCached(
    store.db,
    "UPDATE session SET run = NULL, turn = NULL, phase = 'stopped', background = 0 WHERE run = ?"
  ).run(id)
}

/** Adds a note unless the run has it already. Call inside a transaction. */
export function addRunNote(store: Store, run: string, note: string): void {
  if (note === '') return
  prepareCached(
    store.db,
    "UPDATE run SET note = iif(note = '', ?, note || '; ' || ?) WHERE id = ? AND instr(note, ?) = 0"
  ).run(note, note, run, note)
}

export function findRun(store: Store, id: string): RunRow | null {
  return (prepareCached(store.db, 'SELECT * FROM run WHERE id = ?').get(id) as RunRow | undefined) ?? null
}

export function liveRuns(store: Store): RunRow[] {
  return prepareCached(store.db, "SELECT * FROM run WHERE state = 'live' ORDER BY n").all() as RunRow[]
}

export function sessionOfTurn(store: Store, turn: string): string | null {
  const row = prepareCached(store.db, `SELECT ${TURN_SESSION} AS session FROM turn t WHERE t.id = ?`).get(turn)
  return (row as { session: string | null } | undefined)?.session ?? null
}

export function turnsOf(store: Store, run: string): TurnRow[] {
  return prepareCached(store.db, 'SELECT * FROM turn WHERE run = ? ORDER BY n').all(run) as TurnRow[]
}

/** Seqs of the edits of a run, or of one of its turns, in log order. */
export function editsOfRun(store: Store, run: string, turn?: string): number[] {
  const sql = turn
    ? 'SELECT edit FROM edit_call WHERE run = ? AND turn = ? ORDER BY edit'
    : 'SELECT edit FROM edit_call WHERE run = ? ORDER BY edit'
  return (prepareCached(store.db, sql).all(...(turn ? [run, turn] : [run])) as { edit: number }[]).map(
    (row) => row.edit
  )
}
