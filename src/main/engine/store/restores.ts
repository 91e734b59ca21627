/**
 * Owns table `restore`, the journal of restores. It is a write-ahead log: the row and all its items (restore-items.ts)
 * are stored before the first file is touched, so that the next start finds a restore whose process was killed and can
 * finish or undo it (RS-3, RS-7).
 *
 *   applying --> done | partial | failed | refused     the process wrote its result
 *   applying --> interrupted                           it failed after its first change, or its owner died
 *   interrupted --> done | partial                     a recovery ended it
 */
import type { Seq } from '../../../contract/log.ts'
import type { RestoreKind, RestoreMode, RestoreState } from '../../../contract/restore.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import type { Store } from './open-store.ts'
import { all, column, count, get, inserter, run, scalar, type Writable } from './sql.ts'
import { nextOrdinal } from './timeline.ts'

export interface RestoreRow {
  readonly id: string
  readonly n: number
  readonly act: RestoreKind
  readonly title: string
  readonly mode: RestoreMode
  /** `applying` with a dead owner counts as interrupted (`UnfinishedRestore.abandoned`). */
  readonly state: RestoreState | 'applying'
  readonly to_seq: Seq | null
  readonly guard: string
  readonly undoes: string | null
  readonly undone_by: string | null
  /** The interrupted restore that this one finishes. The edits of both carry that one's id. */
  readonly finishes: string | null
  /** What the request named: a run, an outside change, a restore or a position. */
  readonly target: string
  /** 1 = the request selected no paths. */
  readonly whole: number
  readonly at: number
  readonly plan: string
  readonly pid: number
  readonly pid_start: string
}

type NewRestoreRow = Omit<RestoreRow, 'n' | 'state' | 'undone_by' | 'pid' | 'pid_start'>

const insertRow = inserter('restore', [
  ...(['id', 'n', 'act', 'title', 'mode', 'state', 'to_seq', 'guard', 'undoes', 'finishes'] as const),
  ...(['target', 'whole', 'at', 'plan', 'pid', 'pid_start'] as const)
])

/** Adds a restore that `owner` applies. */
export function insertRestore(tx: Writable<Store>, row: NewRestoreRow, { pid, start }: ProcessId): void {
  const n = nextOrdinal(tx, 'restore')
  insertRow(tx, { ...row, n, state: 'applying', pid, pid_start: start })
}

/** Stores the final state. */
export function closeRestore(tx: Writable<Store>, id: string, state: RestoreState): void {
  run(tx, 'UPDATE restore SET state = ? WHERE id = ?', state, id)
}

/** Marks a restore that failed after its first change: any process may recover it, although this one is alive. */
export function markInterrupted(tx: Writable<Store>, id: string): void {
  run(tx, "UPDATE restore SET state = 'interrupted' WHERE id = ?", id)
}

/** `by`: the undo or redo that reverted it; null when it is in force again. */
export function setUndoneBy(tx: Writable<Store>, id: string, by: string | null): void {
  run(tx, 'UPDATE restore SET undone_by = ? WHERE id = ?', by, id)
}

/** Takes it off the undo stack without an undo: `undone_by` is its own id then. */
export function markSuperseded(tx: Writable<Store>, id: string): void {
  run(tx, 'UPDATE restore SET undone_by = id WHERE id = ? AND undone_by IS NULL', id)
}

export function findRestore(store: Store, id: string): RestoreRow | null {
  return get(store, 'SELECT * FROM restore WHERE id = ?', id)
}

export interface UnfinishedRestore extends RestoreRow {
  /** Its owner died or gave up, so any process may recover it. */
  readonly abandoned: boolean
}

/**
 * Restores that run or were interrupted, in any process, newest first. There are several when a recovery was
 * interrupted too.
 */
export function unfinishedRestores(store: Store): UnfinishedRestore[] {
  return all<RestoreRow>(store, "SELECT * FROM restore WHERE state IN ('applying', 'interrupted') ORDER BY n DESC").map(
    (row) => ({
      ...row,
      abandoned: row.state === 'interrupted' || !isAlive({ pid: row.pid, start: row.pid_start })
    })
  )
}

/**
 * The unfinished restore that blocks others: the running one, else the oldest interrupted one. Recoveries of a restore
 * touch only its paths, so the oldest covers all of them.
 */
export function blockingRestore(store: Store): UnfinishedRestore | null {
  const rows = unfinishedRestores(store)
  return rows.find((row) => !row.abandoned) ?? rows.at(-1) ?? null
}

/**
 * SQL condition: there is something to undo. A restore that was interrupted before its first change has no edits, and a
 * conversation that was continued since is no longer where the restore left it.
 */
const WROTE = `(EXISTS (SELECT 1 FROM edit e WHERE e.restore = restore.id) OR EXISTS (
  SELECT 1 FROM restore_conversation c JOIN session s ON s.id = c.session
  WHERE c.restore = restore.id AND c.state = 'done' AND s.revision = c.to_revision) OR EXISTS (
  SELECT 1 FROM restore_git g WHERE g.restore = restore.id AND g.state = 'done' AND g.items <> '[]'))`

/** SQL condition: not an undo or redo. Nor a recovery: what it finished or undid belongs to the interrupted restore. */
const ORDINARY = `state IN ('done', 'partial') AND act NOT IN ('undo', 'redo', 'recover') AND ${WROTE}`

const NEXT_UNDO = `SELECT * FROM restore WHERE undone_by IS NULL AND ${ORDINARY} ORDER BY n DESC LIMIT 1`

/** The restore that `undo` reverts: the newest that is done or partial, not undone, and neither an undo nor a redo. */
export function findNextUndo(store: Store): RestoreRow | null {
  return get(store, NEXT_UNDO)
}

const NEXT_REDO = `SELECT * FROM restore WHERE state IN ('done', 'partial') AND act = 'undo' AND undone_by IS NULL
  AND ${WROTE} AND n > (SELECT coalesce(max(n), 0) FROM restore WHERE (undone_by IS NULL OR undone_by = id) AND ${ORDINARY})
  ORDER BY n DESC LIMIT 1`

/**
 * The newest undo that is not redone yet. A newer restore clears it, also one that was superseded (`undone_by` is its
 * own id).
 */
export function findNextRedo(store: Store): RestoreRow | null {
  return get(store, NEXT_REDO)
}

/** The restore that a guard was made for. */
export function restoreOfGuard(store: Store, guard: string): string | null {
  return scalar(store, 'SELECT id FROM restore WHERE guard = ? ORDER BY n DESC LIMIT 1', guard)
}

/** Restores that began before a position and ended there or later, or not yet. Reads all restores. */
export function restoresAcross(store: Store, seq: Seq): string[] {
  const sql = `SELECT r.id FROM restore r JOIN checkpoint c ON c.id = r.guard WHERE c.seq < ?
    AND (r.state IN ('applying', 'interrupted') OR (SELECT max(e.seq) FROM edit e WHERE e.restore = r.id) >= ?)`
  return column(store, sql, seq, seq)
}

/**
 * Completed restores in force with an ordinal above `n`, made at `since` or later, newest first. A superseded one is in
 * force, too.
 */
export function restoresAfter(store: Store, n: number, since: number, limit: number): RestoreRow[] {
  const sql = `SELECT * FROM restore WHERE n > ? AND at >= ? AND state IN ('done', 'partial')
    AND (undone_by IS NULL OR undone_by = id) ORDER BY n DESC LIMIT ?`
  return all(store, sql, n, since, limit)
}

export function lastRestoreOrdinal(store: Store): number {
  return count(store, 'SELECT max(n) FROM restore')
}
