/**
 * Owns table `turn`: the prompts of a run, each with the range of the log up to the agent's stop. At most one turn of a
 * run is open.
 */
import type { RunState } from '../../../contract/timeline.ts'
import { DAMAGED_PROMPT } from '../../../contract/words/damage.ts'
import type { Store } from './open-store.ts'
import { all, count, run as execute, get, scalar, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'

interface TurnRow {
  readonly id: string
  readonly run: string
  /** Order within the run, from 1. */
  readonly n: number
  readonly prompt: string
  readonly started_at: number
  readonly ended_at: number | null
  readonly start_seq: number
  readonly end_seq: number | null
}

/**
 * SQL condition on a checkpoint: a turn starts there. The first turn of a run shares the checkpoint of the run, which
 * is at the same position.
 */
export const STARTS_TURN = "reason IN ('run_start', 'pre_write')"

/** SQL expression: the session of turn `t`. Turns of one `driftline run` may belong to different sessions. */
export const TURN_SESSION = `coalesce((SELECT c.session FROM checkpoint c WHERE c.run = t.run AND c.turn = t.id AND c.${STARTS_TURN}),
  (SELECT r.session FROM run r WHERE r.id = t.run))`

/** SQL: the prompt of the turn `t`. */
export const PROMPT = readable('t', 'prompt', DAMAGED_PROMPT)
const COLUMNS = `id, run, n, ${PROMPT} AS prompt, started_at, ended_at, start_seq, end_seq`
const INSERT = `INSERT INTO turn(id, run, n, prompt, started_at, start_seq, sum)
  VALUES (@id, @run, @n, @prompt, @started_at, @start_seq, ${sumOf('@prompt')})`

export function insertTurn(
  tx: Writable<Store>,
  turn: Pick<TurnRow, 'id' | 'run' | 'n' | 'prompt' | 'started_at' | 'start_seq'>
): void {
  execute(tx, INSERT, turn)
}

/** Ends the open turn of a run at position `seq`. */
export function endOpenTurn(tx: Writable<Store>, run: string, seq: number, at: number): void {
  execute(tx, 'UPDATE turn SET ended_at = ?, end_seq = ? WHERE run = ? AND ended_at IS NULL', at, seq, run)
}

/** Ends one turn, of another history. */
export function endTurn(tx: Writable<Store>, turn: string, seq: number, at: number): void {
  execute(tx, 'UPDATE turn SET ended_at = ?, end_seq = ? WHERE id = ?', at, seq, turn)
}

export function setPrompt(tx: Writable<Store>, turn: string, prompt: string): void {
  execute(tx, `UPDATE turn SET prompt = @prompt, sum = ${sumOf('@prompt')} WHERE id = @turn`, { turn, prompt })
}

/** Sets the prompt of a turn that has none. Returns whether it had none. */
export function fillEmptyPrompt(tx: Writable<Store>, turn: string, prompt: string): boolean {
  const sql = `UPDATE turn SET prompt = @prompt, sum = ${sumOf('@prompt')} WHERE id = @turn AND prompt = ''`
  return execute(tx, sql, { turn, prompt }).changes > 0
}

export function turnsOf(store: Store, run: string): TurnRow[] {
  return all(store, `SELECT ${COLUMNS} FROM turn t WHERE run = ? ORDER BY n`, run)
}

export function findTurn(store: Store, id: string): TurnRow | null {
  return get(store, `SELECT ${COLUMNS} FROM turn t WHERE id = ?`, id)
}

export function countTurns(store: Store, run: string): number {
  return count(store, 'SELECT count(*) FROM turn WHERE run = ?', run)
}

export function runOfTurn(store: Store, turn: string): string | null {
  return scalar(store, 'SELECT run FROM turn WHERE id = ?', turn)
}

const SESSION_OF_TURN = `SELECT ${TURN_SESSION} AS session FROM turn t WHERE t.id = ?`

export function sessionOfTurn(store: Store, turn: string): string | null {
  return scalar(store, SESSION_OF_TURN, turn)
}

/** A turn in the list of a conversation. */
interface ListedTurn extends Pick<TurnRow, 'id' | 'run' | 'prompt' | 'ended_at'> {
  /** Of its run. */
  readonly state: RunState
  readonly files: number
  /** The session that the turn itself belongs to. */
  readonly session: string | null
}

/**
 * The turns of a session's runs and those that start at one of its checkpoints, oldest first. `copies`: also the turns
 * of messages that the session, a fork, copied from its original.
 */
export function turnsOfSession(store: Store, session: string, copies: boolean): ListedTurn[] {
  const copied = copies
    ? ' OR t.id IN (SELECT turn FROM message WHERE session = (SELECT n FROM session WHERE id = ?))'
    : ''
  const sql = `SELECT t.id, t.run, ${PROMPT} AS prompt, t.ended_at, r.state, r.files, ${TURN_SESSION} AS session FROM turn t JOIN run r ON r.id = t.run
       WHERE r.session = ? OR t.id IN (SELECT turn FROM checkpoint WHERE session = ?)${copied} ORDER BY r.n, t.n`
  return all(store, sql, session, session, ...(copies ? [session] : []))
}

/**
 * The open turns of live runs that no hook reports at present: all changes are theirs. `since`: ms UTC; `start`: a position.
 */
export function openCommandTurns(store: Store): { run: string; turn: string; since: number; start: number }[] {
  const sql = `SELECT r.id AS run, t.id AS turn, t.started_at AS since, t.start_seq AS start FROM run r JOIN turn t ON t.run = r.id AND t.ended_at IS NULL
     WHERE r.state = 'live' AND r.hooked IN (0, 3) ORDER BY r.n`
  return all(store, sql)
}

/**
 * The turns of runs that no hook ever reported, and that ended at `since` or later, ms UTC. When an agent worked in one
 * is not recorded, so changes of such a run that are found later are nobody's.
 */
export function endedCommandTurns(
  store: Store,
  since: number
): { run: string; turn: string; since: number; until: number }[] {
  const sql = `SELECT r.id AS run, t.id AS turn, t.started_at AS since, t.ended_at AS until FROM run r JOIN turn t ON t.run = r.id
     WHERE r.hooked = 0 AND t.ended_at >= ? ORDER BY r.n`
  return all(store, sql, since)
}
