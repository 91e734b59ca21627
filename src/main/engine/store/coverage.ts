/** Reports what is protected, and every path that is not, with the reason (UI-1). */
import type { CopyProgress, CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { isWithin, isWithinAny } from '../files/paths.ts'
import { createPaced, type Paced } from '../ports/paced.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { EVICTED_CODEC } from './codec.ts'
import { type Db, userVersion } from './database.ts'
import { KEPT_COUNTS, packCounts, unpackCounts } from './kept-counts.ts'
import { readMeta, readPathList, writeMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import { packedCounts } from './packed-paths.ts'
import { all, column, count, exists, get, type Readable, run, transact, type Writable, withoutDeferred } from './sql.ts'

/**
 * `copying` only while the snapshot process is alive: if it died, the state is `partial` and the next snapshot
 * continues.
 */
export function coverageState(store: Store): CoverageState {
  const state = readMeta(store, 'coverage')
  if (state === 'complete') return 'complete'
  return state === 'copying' && isAlive(snapshotProcessOf(store)) ? 'copying' : 'partial'
}

/** The process of the newest initial snapshot. */
function snapshotProcessOf(store: Store): ProcessId {
  return JSON.parse(readMeta(store, 'copier') ?? '{"pid":0,"start":""}') as ProcessId
}

/** A history, and the folders inside that are recorded elsewhere: what was recorded of them before counts no more (CP-9). */
interface CoveredFolder {
  readonly store: Store
  readonly boundaries: ReadonlySet<string>
  /** Set while an initial snapshot is being taken: the counts may be some seconds old then. */
  readonly snapshotProgress?: CopyProgress | null
}

/** Totals of the stored files, and every path that is not stored, sorted. `repositories`: paths of those that are not kept. */
export function coverageOf(
  folder: CoveredFolder,
  repositories: readonly string[]
): { covered: CoverageTotals; notCovered: ExcludedPath[] } {
  const { store, boundaries } = folder
  refreshCounts(folder)
  const notCovered = excludedPaths(store)
  const listed = (key: string): string[] => readPathList(store, key).filter((path) => !isWithinAny(path, boundaries))
  for (const path of listed('unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of repositories) notCovered.push({ path, reason: 'repository' })
  for (const path of listed('unreadable'))
    if (!notCovered.some((excluded) => excluded.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered: coverageTotals(store), notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/**
 * The content of a head is evicted only because a person excluded the file. By the index: the row of a content may be
 * anywhere in the file.
 */
const IS_EVICTED = `EXISTS (SELECT 1 FROM content c INDEXED BY content_evicted
  WHERE c.id = v.content AND c.codec = ${EVICTED_CODEC})`
/** Conditions on the version `v` of a head: stored files and links; everything that is there and not stored. */
const IS_STORED = `v.kind IN (1, 2) AND v.reason IS NULL AND NOT ${IS_EVICTED}`
const IS_EXCLUDED = `v.kind NOT IN (0, 5) AND (v.reason IS NOT NULL OR ${IS_EVICTED})`
/** On a path `name` and a row of `beyond`: the path is below that folder. */
const isBelow = (name: string): string => `${name} >= folder || '/' AND ${name} < folder || '0'`
/** On a version `v` of a path `name`: a folder that is recorded elsewhere. */
const isBoundary = (name: string): string => `v.kind = 3 AND ${name} IN (SELECT folder FROM beyond)`

/**
 * The totals and the ids of the excluded paths, in temporary tables that triggers of this connection keep up to date, so
 * that a status does not read the row of every path. `stale`: they have to be counted again. `beyond`: the outermost
 * folders that are recorded elsewhere.
 */
const TRACKING = `
  CREATE TEMP TABLE covered(files INTEGER NOT NULL, bytes INTEGER NOT NULL, stale INTEGER NOT NULL);
  CREATE TEMP TABLE excluded(id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE beyond(folder TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT INTO covered VALUES (0, 0, 1);
  CREATE TEMP TRIGGER head_changed AFTER UPDATE OF version ON path
    WHEN old.version IS NOT new.version AND NOT EXISTS (SELECT 1 FROM beyond WHERE ${isBelow('new.name')}) BEGIN
    UPDATE covered SET (files, bytes) = (SELECT covered.files - count(*), covered.bytes - coalesce(sum(v.size), 0)
      FROM version v WHERE v.id = old.version AND v.kind IN (1, 2) AND old.id NOT IN excluded);
    DELETE FROM excluded WHERE id = old.id;
    UPDATE covered SET (files, bytes) = (SELECT covered.files + count(*), covered.bytes + coalesce(sum(v.size), 0)
      FROM version v WHERE v.id = new.version AND ${IS_STORED});
    INSERT INTO excluded SELECT new.id FROM version v
      WHERE v.id = new.version AND (${IS_EXCLUDED} OR ${isBoundary('new.name')});
  END;
  CREATE TEMP TRIGGER head_added AFTER INSERT ON path WHEN new.version IS NOT NULL BEGIN
    UPDATE covered SET stale = 1;
  END;
  CREATE TEMP TRIGGER paths_packed AFTER INSERT ON packed_path BEGIN
    UPDATE covered SET stale = 1;
  END;
  CREATE TEMP TRIGGER content_evicted AFTER UPDATE OF codec ON content
    WHEN (old.codec = ${EVICTED_CODEC}) <> (new.codec = ${EVICTED_CODEC}) BEGIN
    UPDATE covered SET stale = 1;
  END;`

/** Ids of excluded paths that are kept, at most. With more, they are counted again. */
const MOST_KEPT = 10_000

interface KeptCounts extends CoverageTotals {
  readonly excluded: readonly number[]
  readonly beyond: string
  /** Of the history then. */
  readonly format: number
}

/** At what a connection last counted: the data version, which changes with each commit of another one, and the boundaries. */
interface CountedAt {
  readonly version: number
  readonly beyond: string
  /** Counts while a snapshot is being taken. */
  readonly paced: Paced
}

const counted = new WeakMap<Db, CountedAt>()

/** Counts again where the triggers did not see every change. */
function refreshCounts({ store: { db }, boundaries, snapshotProgress }: CoveredFolder): void {
  const handle = { db } as Writable<Readable>
  const last = counted.get(db)
  const paced = last?.paced ?? createPaced()
  if (!last) {
    db.exec(TRACKING)
    // The tables are there, and the first count has not ended.
    counted.set(db, { version: -1, beyond: '', paced })
  }
  const version = dataVersion(db)
  const beyond = JSON.stringify(outermost(boundaries))
  if (last?.version === version && last.beyond === beyond && !isStale(handle)) return
  // Each commit of the process that copies would have all paths counted again.
  if (snapshotProgress && last?.beyond === beyond && !paced.isDue()) return
  if (last?.beyond !== beyond) {
    run(handle, 'DELETE FROM beyond')
    run(handle, 'INSERT INTO beyond SELECT value FROM json_each(?)', beyond)
  }
  if (last || !takeKept(handle, beyond)) paced.do(() => countAgain(handle))
  counted.set(db, { version, beyond, paced })
}

/** Changes with each commit of another connection. */
const dataVersion = (db: Db): number => db.pragma('data_version', { simple: true }) as number

const isStale = (store: Readable): boolean => count(store, 'SELECT stale FROM covered') !== 0

/** Takes the counts of when the history was last closed: they are there until what they are of changes. False where there are none. */
function takeKept(handle: Writable<Readable>, beyond: string): boolean {
  const kept = unpackCounts(readMeta(handle, KEPT_COUNTS)) as KeptCounts | null
  if (kept?.beyond !== beyond || kept.format !== userVersion(handle.db)) return false
  run(handle, 'INSERT INTO excluded SELECT value FROM json_each(?)', JSON.stringify(kept.excluded))
  run(handle, 'UPDATE covered SET stale = 0, files = ?, bytes = ?', kept.files, kept.bytes)
  return true
}

/** Keeps the counts of a history that is about to be closed, so that the next process need not count all paths. */
export function keepCounts(store: Store): void {
  const { db } = store
  const last = counted.get(db)
  if (last?.version !== dataVersion(db) || isStale(store)) return
  const excluded = column<number>(store, 'SELECT id FROM excluded LIMIT ?', MOST_KEPT + 1)
  if (excluded.length > MOST_KEPT) return
  const kept: KeptCounts = { ...coverageTotals(store), excluded, beyond: last.beyond, format: userVersion(db) }
  const text = packCounts(kept)
  if (readMeta(store, KEPT_COUNTS) !== text) transact(store, (tx) => writeMeta(tx, KEPT_COUNTS, text))
}

/** Of folders inside each other the outer ones. */
function outermost(folders: ReadonlySet<string>): string[] {
  const isInner = (path: string): boolean => [...folders].some((folder) => folder !== path && isWithin(path, folder))
  return [...folders].filter((path) => !isInner(path)).sort()
}

/** By the index of names: what is below a folder of `beyond` costs nothing where there is none. */
function countAgain(handle: Writable<Readable>): void {
  // Which packed paths are below such a folder, only their rows tell.
  if (exists(handle, 'SELECT 1 FROM beyond')) countRows(handle)
  else {
    withoutDeferred(handle, () => countRows(handle))
    const { files, bytes, excluded } = packedCounts(handle)
    run(handle, 'INSERT INTO excluded SELECT value FROM json_each(?)', JSON.stringify(excluded))
    run(handle, 'UPDATE covered SET files = files + ?, bytes = bytes + ?', files, bytes)
  }
}

function countRows(handle: Writable<Readable>): void {
  const below = `beyond CROSS JOIN path p ON ${isBelow('p.name')}`
  run(handle, 'DELETE FROM excluded')
  run(handle, `INSERT INTO excluded SELECT p.id FROM path p JOIN version v ON v.id = p.version WHERE ${IS_EXCLUDED}`)
  run(handle, `DELETE FROM excluded WHERE id IN (SELECT p.id FROM ${below})`)
  run(
    handle,
    `INSERT OR IGNORE INTO excluded SELECT p.id FROM beyond CROSS JOIN path p ON p.name = folder
      JOIN version v ON v.id = p.version WHERE v.kind = 3`
  )
  const totals = (paths: string): string => `SELECT count(*) AS files, coalesce(sum(v.size), 0) AS bytes
    FROM ${paths} JOIN version v ON v.id = p.version WHERE ${IS_STORED}`
  run(
    handle,
    `UPDATE covered SET stale = 0, (files, bytes) = (SELECT every.files - inner.files, every.bytes - inner.bytes
      FROM (${totals('path p')}) AS every, (${totals(below)}) AS inner)`
  )
}

/** Number of the stored files and links. */
export function countCovered(folder: CoveredFolder): number {
  refreshCounts(folder)
  return coverageTotals(folder.store).files
}

/** Totals of the stored files and links. */
function coverageTotals(store: Store): CoverageTotals {
  return get(store, 'SELECT files, bytes FROM covered') ?? { files: 0, bytes: 0 }
}

/** Every present path that is not stored. */
function excludedPaths(store: Store): ExcludedPath[] {
  if (!exists(store, 'SELECT 1 FROM excluded')) return []
  const sql = `SELECT p.name AS path, coalesce(v.reason, iif(${isBoundary('p.name')}, 'workspace', 'never')) AS reason, iif(v.kind = 1, v.size, NULL) AS size
    FROM excluded e JOIN path p ON p.id = e.id JOIN version v ON v.id = p.version`
  const rows = all<Omit<ExcludedPath, 'size'> & { readonly size: number | null }>(store, sql)
  return rows.map(({ size, ...path }) => (size === null ? path : { ...path, size }))
}

/** Versions of files without content because of the settings, or whose content was evicted by them. */
const EXCLUDED_VERSIONS = `SELECT id FROM version WHERE kind = 1 AND (reason IN ('too-large', 'ignored', 'never')
  OR content IN (SELECT id FROM content WHERE codec = ${EVICTED_CODEC}))`

/** Files that are not stored because of the settings. */
export function excludedFiles(store: Store): string[] {
  return column(store, `SELECT p.name FROM path p WHERE p.version IN (${EXCLUDED_VERSIONS})`)
}

/** Sets the time of their stats to 0, which is never trusted (DR-2), so that the next scan reads them. */
export function distrustExcludedFiles(tx: Writable<Store>): void {
  run(tx, `UPDATE path SET seen = 0 WHERE version IN (${EXCLUDED_VERSIONS})`)
}
