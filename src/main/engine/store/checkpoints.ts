/**
 * Owns table `checkpoint`: named positions in the log (CK-1). Rows are never deleted; only status, label and what a
 * checkpoint belongs to change. Positions never decrease in the order of `n`.
 */
import type { CheckpointCause, CheckpointReason, CheckpointStatus } from '../../../contract/checkpoint.ts'
import type { Seq } from '../../../contract/log.ts'
import type { Store } from './open-store.ts'
import { all, column, count, get, inserter, run, scalar, type Writable } from './sql.ts'
import { nextOrdinal } from './timeline.ts'
import { STARTS_TURN, TURN_SESSION } from './turns.ts'

export interface CheckpointRow {
  readonly id: string
  readonly n: number
  readonly seq: number
  readonly reason: CheckpointReason
  readonly status: CheckpointStatus
  /** Read by `causeOf`: the restore that passed it, the damaged path, or ''. */
  readonly why: string
  readonly label: string
  readonly at: number
  readonly run: string | null
  readonly turn: string | null
  readonly session: string | null
  /** Of the session at that time. */
  readonly revision: number | null
  /** JSON: SessionHead. */
  readonly head: string | null
  /** What git had checked out; '' = no repository, or unknown. */
  readonly git: string
}

/** Why a checkpoint is not available: its status, and what `why` names. */
export function causeOf({ status, why }: Pick<CheckpointRow, 'status' | 'why'>): CheckpointCause | null {
  switch (status) {
    case 'available':
      return null
    case 'restored':
      return { code: status, restore: why }
    case 'pruned':
      return { code: status }
    case 'broken':
      return { code: status, path: why }
  }
}

/** SQL condition: the checkpoint can be restored. */
const RESTORABLE = "status IN ('available', 'restored')"

const insertRow = inserter('checkpoint', [
  ...(['id', 'n', 'seq', 'reason', 'label', 'at'] as const),
  ...(['run', 'turn', 'session', 'revision', 'head', 'git'] as const)
])

export function insertCheckpoint(tx: Writable<Store>, row: Omit<CheckpointRow, 'n' | 'status' | 'why'>): void {
  insertRow(tx, { ...row, n: nextOrdinal(tx, 'checkpoint') })
}

export function findCheckpoint(store: Store, id: string): CheckpointRow | null {
  return get(store, 'SELECT * FROM checkpoint WHERE id = ?', id)
}

/** The newest checkpoint at exactly this position. */
export function findCheckpointAt(store: Store, seq: Seq): CheckpointRow | null {
  return get(store, 'SELECT * FROM checkpoint WHERE seq = ? ORDER BY n DESC LIMIT 1', seq)
}

/** The newest checkpoint at an earlier position; with `session` only of that session. */
export function findCheckpointBefore(store: Store, seq: Seq, session: string | null): CheckpointRow | null {
  if (!session) return get(store, 'SELECT * FROM checkpoint WHERE seq < ? ORDER BY n DESC LIMIT 1', seq)
  return get(store, 'SELECT * FROM checkpoint WHERE seq < ? AND session = ? ORDER BY n DESC LIMIT 1', seq, session)
}

/** Ids of restorable checkpoints that were made at `at` (ms UTC) or before, newest first, up to `most`. */
export function checkpointsUntil(store: Store, at: number, most: number): string[] {
  return column(store, `SELECT id FROM checkpoint WHERE at <= ? AND ${RESTORABLE} ORDER BY n DESC LIMIT ?`, at, most)
}

const TURN_START = `SELECT * FROM checkpoint WHERE turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`

/** The checkpoint that was recorded when a turn began. */
export function findTurnStart(store: Store, turn: string): CheckpointRow | null {
  return get(store, TURN_START, turn)
}

/** Newest first. */
export function listCheckpointRows(
  store: Store,
  filter: { readonly run?: string | undefined; readonly session?: string | undefined; readonly restorable: boolean }
): CheckpointRow[] {
  const where = ['1']
  const values: string[] = []
  if (filter.run !== undefined) {
    where.push('run = ?')
    values.push(filter.run)
  }
  if (filter.session !== undefined) {
    where.push('session = ?')
    values.push(filter.session)
  }
  if (filter.restorable) where.push(RESTORABLE)
  return all(store, `SELECT * FROM checkpoint WHERE ${where.join(' AND ')} ORDER BY n DESC`, ...values)
}

/** Oldest first. */
export function checkpointsOfRun(store: Store, id: string): CheckpointRow[] {
  return all(store, 'SELECT * FROM checkpoint WHERE run = ? ORDER BY n', id)
}

/** Number of paths that were edited between the checkpoint and the one before it. */
export function countFilesSincePrevious(store: Store, { n, seq }: Pick<CheckpointRow, 'n' | 'seq'>): number {
  // Positions of checkpoints never decrease, so the previous one has the greatest position below.
  const previous = scalar<number>(store, 'SELECT seq FROM checkpoint WHERE n < ? ORDER BY n DESC LIMIT 1', n)
  const sql = 'SELECT count(DISTINCT path) FROM edit WHERE seq > ? AND seq <= ?'
  return count(store, sql, previous ?? 0, seq)
}

/** What a restore passed: automatic checkpoints that were made between its target and its guard. */
interface PassedCheckpoints {
  readonly restore: string
  readonly guard: string
  /** The newest checkpoint that is not after the target; null if the target is not one of the checkpoints' moments. */
  readonly upTo: number | null
  /** Position of the target; null if no files were restored. Decides if `upTo` is null. */
  readonly seq: Seq | null
  /** The conversation that was moved, and its new revision; null for none. Decides if `upTo` is null. */
  readonly session: string | null
  readonly revision: number | null
}

/**
 * Marks the automatic checkpoints that a restore passed. The order in which they were made decides, because those of the
 * conversation or of plan mode share the target's position. Without files, only those of the conversation are marked.
 * Guards and pins never are.
 */
export function markRestoredPast(tx: Writable<Store>, passed: PassedCheckpoints): void {
  const sql = `UPDATE checkpoint SET status = 'restored', why = :restore
    WHERE status = 'available' AND reason NOT IN ('manual', 'pre_restore_guard')
      AND n < (SELECT n FROM checkpoint WHERE id = :guard) AND (:seq IS NOT NULL OR session = :session)
      AND iif(:upTo IS NOT NULL, n > :upTo, seq > :seq OR (session = :session AND revision > :revision))`
  run(tx, sql, { ...passed })
}

/** The checkpoints that this restore marked are available again. */
export function unmarkRestoredPast(tx: Writable<Store>, restore: string): void {
  run(tx, "UPDATE checkpoint SET status = 'available', why = '' WHERE status = 'restored' AND why = ?", restore)
}

/**
 * Number of the newest checkpoint that is not after the target, which is named as in table `restore`; null if only the
 * target's position is known.
 */
export function checkpointUpTo(store: Store, target: string): number | null {
  const [id = '', side] = target.split(':')
  if (id.startsWith('cp_')) return scalar(store, 'SELECT n FROM checkpoint WHERE id = ?', id)
  if (id.startsWith('rst_'))
    return scalar(store, 'SELECT c.n FROM restore r JOIN checkpoint c ON c.id = r.guard WHERE r.id = ?', id)
  const owner = id.startsWith('run_') ? 'run' : id.startsWith('turn_') ? 'turn' : null
  if (owner === null) return null
  return scalar(store, `SELECT ${side === 'end' ? 'max' : 'min'}(n) FROM checkpoint WHERE ${owner} = ?`, id)
}

export function findCheckpointByNumber(store: Store, n: number): string | null {
  return scalar(store, 'SELECT id FROM checkpoint WHERE n = ?', n)
}

/** Marks restorable checkpoints at positions `since` <= seq < `upto` as broken by `path`; returns how many. */
export function markBrokenBetween(tx: Writable<Store>, since: Seq, upto: Seq, path: string): number {
  const sql = `UPDATE checkpoint SET status = 'broken', why = ? WHERE ${RESTORABLE} AND seq >= ? AND seq < ?`
  return run(tx, sql, path, since, upto).changes
}

/** Gives the checkpoint at its start to a run and its first turn. */
export function assignCheckpoint(tx: Writable<Store>, id: string, runId: string, turn: string): void {
  run(tx, 'UPDATE checkpoint SET run = ?, turn = ? WHERE id = ?', runId, turn, id)
}

/** Gives a conversation to the checkpoints of a run that were recorded before its prompt was known. */
export function assignConversation(
  tx: Writable<Store>,
  runId: string,
  { session, revision, head }: { readonly session: string; readonly revision: number; readonly head: string }
): void {
  const sql = 'UPDATE checkpoint SET session = ?, revision = ?, head = ? WHERE run = ? AND revision IS NULL'
  run(tx, sql, session, revision, head, runId)
}

/** Corrects the message that the checkpoint at the start of a turn was recorded at. */
export function setTurnStartRevision(
  tx: Writable<Store>,
  session: string,
  turn: string | null,
  revision: number
): void {
  const sql = `UPDATE checkpoint SET revision = ? WHERE turn = ? AND session = ? AND ${STARTS_TURN}`
  run(tx, sql, revision, turn, session)
}

/** Oldest first. */
export function checkpointsOfSession(store: Store, session: string): CheckpointRow[] {
  return all(store, 'SELECT * FROM checkpoint WHERE session = ? ORDER BY n', session)
}

const TURN_START_IN_RUN = `SELECT id FROM checkpoint WHERE run = ? AND turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`

/** The same as `findTurnStart`, by the index on runs. */
export function turnStartInRun(store: Store, runId: string, turn: string): string | null {
  return scalar(store, TURN_START_IN_RUN, runId, turn)
}

/**
 * The next start of a turn, or guard of a restore, in a session after checkpoint number `n`, outside the given turn or
 * run.
 */
export function nextTurnStart(
  store: Store,
  session: string | null,
  n: number,
  outside: { readonly run: string | null; readonly turn: string | null }
): CheckpointRow | null {
  const sql = `SELECT * FROM checkpoint WHERE session = ? AND n > ? AND (${STARTS_TURN} OR reason = 'pre_restore_guard')
       AND ${outside.turn ? 'turn IS NOT ?' : 'run IS NOT ?'} ORDER BY n LIMIT 1`
  return get(store, sql, session, n, outside.turn ?? outside.run)
}

/** The newest checkpoint up to edit `seq` in the session of the turn that made this edit. */
export function lastCheckpointOfWriter(store: Store, seq: Seq): CheckpointRow | null {
  const sql = `SELECT c.* FROM checkpoint c WHERE c.seq <= ? AND c.session =
     (SELECT ${TURN_SESSION} AS session FROM edit_call e JOIN turn t ON t.id = e.turn WHERE e.edit = ? AND session IS NOT NULL LIMIT 1)
     ORDER BY c.n DESC LIMIT 1`
  return get(store, sql, seq, seq)
}

/** At most `limit` checkpoints after number `n`, oldest first. */
export function checkpointsAfter(store: Store, n: number, limit: number): CheckpointRow[] {
  return all(store, 'SELECT * FROM checkpoint WHERE n > ? ORDER BY n LIMIT ?', n, limit)
}

/** Number of the newest checkpoint before a position; of all with null. 0 without one. */
export function lastCheckpointBefore(store: Store, seq: Seq | null): number {
  if (seq === null) return count(store, 'SELECT max(n) FROM checkpoint')
  return count(store, 'SELECT n FROM checkpoint WHERE seq < ? ORDER BY seq DESC, n DESC LIMIT 1', seq)
}
