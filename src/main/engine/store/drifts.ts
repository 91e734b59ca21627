/**
 * Owns table `drift`: sets of outside edits found together. At most one is open. `count` and `seq` follow from the
 * edits with this drift (`edit.drift`), so every function that moves edits recounts.
 */
import type { Seq } from '../../../contract/log.ts'
import type { Drift } from '../../../contract/timeline.ts'
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import { RUN_NAME } from './run-texts.ts'
import { all, column, exists, get, inserter, run, scalar, tuples, type Writable } from './sql.ts'
import { nextOrdinal } from './timeline.ts'
import { kindNumber, type VersionId } from './versions.ts'

export interface DriftRow {
  readonly id: string
  readonly n: number
  readonly state: Drift['state']
  readonly cause: Drift['cause']
  /** Of the cause `branch`: what HEAD was and is, separated by a blank, which git allows in neither; else ''. */
  readonly note: string
  readonly found_at: number
  /** Of its first edit. */
  readonly seq: Seq
  /** Number of listed paths. */
  readonly count: number
  /** The drift from which some paths were accepted or undone before the rest. */
  readonly split_from: string | null
}

export interface DriftPath {
  readonly id: PathId
  readonly name: string
  /** 0: a folder that was created or removed together with its content, which is listed instead. */
  readonly listed: 0 | 1
}

const DIR = kindNumber('dir')
const ABSENT = kindNumber('absent')

/**
 * SQL condition: edit `e` is listed by itself. A folder that was created or removed together with its content is not;
 * its content stands for it. CROSS JOIN fixes the order, so that a folder costs as much as it contains; SQLite's own
 * plan reads the whole drift for each folder (20,000 files: 230 ms instead of 9 ms). `content`: which edits `i` stand for it.
 */
const listed = (content: string): string => `NOT EXISTS (
  SELECT 1 FROM version b CROSS JOIN version a CROSS JOIN path p CROSS JOIN edit i
  WHERE b.id = e.before AND a.id = e.after AND ${DIR} IN (b.kind, a.kind) AND ${ABSENT} IN (b.kind, a.kind)
    AND p.parent = e.path AND i.path = p.id AND ${content})`
const LISTED = listed('i.drift = e.drift')

/** Of some paths and the folders that contain them, which a listed path unlists. @end: as if only earlier edits were there. */
const COUNT_AMONG = `WITH named AS (SELECT value AS path FROM json_each(@paths)),
  touched AS (SELECT path FROM named UNION SELECT p.parent FROM named JOIN path p ON p.id = named.path)
  SELECT count(*) FROM touched CROSS JOIN drift d WHERE d.id = @drift AND EXISTS (
    SELECT 1 FROM edit e WHERE e.path = touched.path AND e.seq >= d.seq AND e.seq < @end AND e.drift = d.id
      AND ${listed('i.drift = e.drift AND i.seq < @end')})`

const insertRow = inserter('drift', ['id', 'n', 'state', 'cause', 'note', 'found_at', 'seq'])

/** Adds a drift that starts with the next edit. */
export function insertDrift(
  tx: Writable<Store>,
  drift: Pick<DriftRow, 'id' | 'state' | 'found_at'>,
  { cause, branches }: Pick<Drift, 'cause' | 'branches'>
): void {
  insertRow(tx, { ...drift, cause, note: noteOf(branches), n: nextOrdinal(tx, 'drift'), seq: tx.records.lastSeq() + 1 })
}

export function findOpenDrift(store: Store): string | null {
  return scalar(store, "SELECT id FROM drift WHERE state = 'open'")
}

export function setDriftCause(
  tx: Writable<Store>,
  id: string,
  { cause, branches }: Pick<Drift, 'cause' | 'branches'>
): void {
  run(tx, 'UPDATE drift SET cause = ?, note = ? WHERE id = ?', cause, noteOf(branches), id)
}

function noteOf(branches: Drift['branches']): string {
  return branches ? `${branches.from} ${branches.to}` : ''
}

export function branchesOf({ note }: Pick<DriftRow, 'note'>): Drift['branches'] {
  const [from, to, ...rest] = note.split(' ')
  return from && to && rest.length === 0 ? { from, to } : null
}

export function setDriftState(tx: Writable<Store>, id: string, state: Drift['state']): void {
  run(tx, 'UPDATE drift SET state = ? WHERE id = ?', state, id)
}

/** Closes the open drift without a decision. Returns whether a drift was open. */
export function leaveDriftUnreviewed(tx: Writable<Store>): boolean {
  return run(tx, "UPDATE drift SET state = 'unreviewed' WHERE state = 'open'").changes > 0
}

/** Adds the edits from `since` on to the count of a drift. */
export function countAppended(tx: Writable<Store>, id: string, since: Seq): void {
  const paths = changedPathsOfDrift(tx, id, since)
  addToCount(tx, id, countAmong(tx, id, paths) - countAmong(tx, id, paths, since))
}

/** A drift of ordinary edits to more than `bulk` paths becomes a bulk change. */
export function setBulkCause(tx: Writable<Store>, id: string, bulk: number): void {
  run(tx, "UPDATE drift SET cause = 'bulk' WHERE id = ? AND cause = 'edits' AND count > ?", id, bulk)
}

/** Costs as much as there are paths, however many the drift has. `end`: as if only earlier edits were there. */
function countAmong(store: Store, drift: string, paths: readonly PathId[], end = Number.MAX_SAFE_INTEGER): number {
  return scalar<number>(store, COUNT_AMONG, { paths: JSON.stringify(paths), drift, end }) ?? 0
}

function addToCount(tx: Writable<Store>, id: string, change: number): void {
  run(tx, 'UPDATE drift SET count = count + ? WHERE id = ?', change, id)
}

/** Paths with edits of a drift from `since` on. */
export function changedPathsOfDrift(store: Store, id: string, since: Seq): PathId[] {
  return column(store, 'SELECT DISTINCT path FROM edit WHERE seq >= ? AND drift = ?', since, id)
}

/** Newest first; `state` null: all. */
export function listDriftRows(store: Store, state: Drift['state'] | null): DriftRow[] {
  if (state === null) return all(store, 'SELECT * FROM drift ORDER BY n DESC')
  return all(store, 'SELECT * FROM drift WHERE state = ? ORDER BY n DESC', state)
}

export function findDriftRow(store: Store, id: string): DriftRow | null {
  return get(store, 'SELECT * FROM drift WHERE id = ?', id)
}

const PATHS_OF = `SELECT n.id, n.name, max(${LISTED}) AS listed FROM edit e JOIN path n ON n.id = e.path
  WHERE e.drift = ? GROUP BY n.id`
const LISTED_PATHS_OF = `SELECT DISTINCT n.name FROM edit e JOIN path n ON n.id = e.path
  WHERE e.drift = ? AND ${LISTED} ORDER BY n.name LIMIT ?`

/** All paths of a drift. */
export function pathsOfDrift(store: Store, id: string): DriftPath[] {
  return all(store, PATHS_OF, id)
}

/** Of those paths that a drift changed more than once: the versions before and after all of its edits. */
export function endsOfPaths(
  store: Store,
  id: string,
  paths: readonly PathId[]
): { readonly path: PathId; readonly before: VersionId; readonly after: VersionId }[] {
  const end = (order: 'ASC' | 'DESC'): string =>
    `(SELECT seq FROM edit WHERE path = p.id AND seq >= d.seq AND drift = d.id ORDER BY seq ${order} LIMIT 1)`
  const sql = `SELECT p.id AS path, f.before, l.after FROM drift d CROSS JOIN path p
    JOIN edit f ON f.seq = ${end('ASC')} JOIN edit l ON l.seq = ${end('DESC')}
    WHERE d.id = ? AND p.id IN (SELECT value FROM json_each(?)) AND f.seq < l.seq`
  return all(store, sql, id, JSON.stringify(paths))
}

/** Whether a drift has more paths than these. */
export function hasPathsBesides(store: Store, id: string, paths: readonly PathId[]): boolean {
  const sql = 'SELECT 1 FROM edit WHERE drift = ? AND path NOT IN (SELECT value FROM json_each(?)) LIMIT 1'
  return exists(store, sql, id, JSON.stringify(paths))
}

/** The first `limit` listed paths, sorted. */
export function listedPathsOfDrift(store: Store, id: string, limit: number): string[] {
  return column(store, LISTED_PATHS_OF, id, limit)
}

/** The name of the last run that ended before a drift began. */
export function titleOfRunBefore(store: Store, { seq }: DriftRow): string | null {
  return scalar(store, `SELECT ${RUN_NAME} FROM run r WHERE end_seq < ? ORDER BY n DESC LIMIT 1`, seq)
}

/** The drift that takes the paths of `id` that were closed before the rest. */
export function findPartOfDrift(store: Store, id: string, state: Drift['state']): string | null {
  return scalar(store, 'SELECT id FROM drift WHERE split_from = ? AND state = ?', id, state)
}

/** The drifts with edits of these paths, each with those of the paths. */
export function driftsOfPaths(store: Store, paths: readonly PathId[]): ReadonlyMap<string, readonly PathId[]> {
  const sql = `SELECT DISTINCT drift, path FROM edit
    WHERE path IN (SELECT value FROM json_each(?)) AND drift IS NOT NULL`
  const found = new Map<string, PathId[]>()
  for (const [drift, path] of tuples<[string, PathId]>(store, sql, JSON.stringify(paths))) {
    const known = found.get(drift)
    if (known) known.push(path)
    else found.set(drift, [path])
  }
  return found
}

/** Whether a run started after the drift began. */
export function hasRunSince(store: Store, id: string): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM run WHERE start_seq >= (SELECT seq FROM drift WHERE id = ?))'
  return scalar(store, sql, id) === 1
}

/** Adds the drift `part` for some of the paths of `id`. */
export function insertPartOfDrift(tx: Writable<Store>, part: string, id: string, state: Drift['state']): void {
  const sql = `INSERT INTO drift(id, n, state, cause, note, found_at, seq, split_from)
       SELECT ?, ?, ?, cause, note, found_at, seq, id FROM drift WHERE id = ?`
  run(tx, sql, part, nextOrdinal(tx, 'drift'), state, id)
}

/** Moves the edits of some paths from one drift to another. */
export function moveDriftEdits(tx: Writable<Store>, from: string, to: string, paths: readonly PathId[]): void {
  const drifts = [from, to].map((id) => ({ id, before: countAmong(tx, id, paths) }))
  for (const path of paths) run(tx, 'UPDATE edit SET drift = ? WHERE drift = ? AND path = ?', to, from, path)
  for (const { id, before } of drifts) {
    run(tx, 'UPDATE drift SET seq = (SELECT min(e.seq) FROM edit e WHERE e.drift = drift.id) WHERE id = ?', id)
    addToCount(tx, id, countAmong(tx, id, paths) - before)
  }
}
