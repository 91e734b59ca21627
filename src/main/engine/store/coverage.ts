/** Reports what is protected, and every path that is not, with the reason (UI-1). */
import type { CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { parentOf } from '../files/paths.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { EVICTED_CODEC } from './codec.ts'
import type { Db } from './database.ts'
import { readMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import { all, column, count, get, type Readable, run, type Writable } from './sql.ts'

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

/**
 * Totals of the stored files, and every path that is not stored, sorted. `keeps`: whether the repository of a subfolder is kept.
 */
export function coverageOf(
  store: Store,
  keeps: (folder: string) => boolean
): { covered: CoverageTotals; notCovered: ExcludedPath[] } {
  refreshCounts(store)
  const notCovered = excludedPaths(store)
  for (const path of listed(store, 'unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of listed(store, 'repositories'))
    if (!keeps(parentOf(path))) notCovered.push({ path, reason: 'repository' })
  for (const path of listed(store, 'unreadable'))
    if (!notCovered.some((excluded) => excluded.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered: coverageTotals(store), notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function listed(store: Store, key: string): string[] {
  return JSON.parse(readMeta(store, key) ?? '[]') as string[]
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

/**
 * The totals and the ids of the excluded paths, in temporary tables that triggers of this connection keep up to date, so
 * that a status does not read the row of every path. `stale`: they have to be counted again.
 */
const TRACKING = `
  CREATE TEMP TABLE covered(files INTEGER NOT NULL, bytes INTEGER NOT NULL, stale INTEGER NOT NULL);
  CREATE TEMP TABLE excluded(path INTEGER PRIMARY KEY);
  INSERT INTO covered VALUES (0, 0, 1);
  CREATE TEMP TRIGGER head_changed AFTER UPDATE OF version ON path WHEN old.version IS NOT new.version BEGIN
    UPDATE covered SET (files, bytes) = (SELECT covered.files - count(*), covered.bytes - coalesce(sum(v.size), 0)
      FROM version v WHERE v.id = old.version AND v.kind IN (1, 2) AND old.id NOT IN excluded);
    DELETE FROM excluded WHERE path = old.id;
    UPDATE covered SET (files, bytes) = (SELECT covered.files + count(*), covered.bytes + coalesce(sum(v.size), 0)
      FROM version v WHERE v.id = new.version AND ${IS_STORED});
    INSERT INTO excluded SELECT new.id FROM version v WHERE v.id = new.version AND ${IS_EXCLUDED};
  END;
  CREATE TEMP TRIGGER head_added AFTER INSERT ON path WHEN new.version IS NOT NULL BEGIN
    UPDATE covered SET stale = 1;
  END;
  CREATE TEMP TRIGGER content_evicted AFTER UPDATE OF codec ON content
    WHEN (old.codec = ${EVICTED_CODEC}) <> (new.codec = ${EVICTED_CODEC}) BEGIN
    UPDATE covered SET stale = 1;
  END;`

/** The data version at which a connection last counted; it changes with each commit of another connection. */
const counted = new WeakMap<Db, number>()

/** Counts again where the triggers did not see every change. */
function refreshCounts({ db }: Store): void {
  const handle = { db } as Writable<Readable>
  if (!counted.has(db)) db.exec(TRACKING)
  const version = db.pragma('data_version', { simple: true }) as number
  if (counted.get(db) === version && count(handle, 'SELECT stale FROM covered') === 0) return
  run(handle, 'DELETE FROM excluded')
  run(handle, `INSERT INTO excluded SELECT p.id FROM path p JOIN version v ON v.id = p.version WHERE ${IS_EXCLUDED}`)
  run(
    handle,
    `UPDATE covered SET stale = 0, (files, bytes) = (SELECT count(*), coalesce(sum(v.size), 0)
      FROM path p JOIN version v ON v.id = p.version WHERE ${IS_STORED})`
  )
  counted.set(db, version)
}

/** Number of the stored files and links. */
export function countCovered(store: Store): number {
  refreshCounts(store)
  return coverageTotals(store).files
}

/** Totals of the stored files and links. */
function coverageTotals(store: Store): CoverageTotals {
  return get(store, 'SELECT files, bytes FROM covered') ?? { files: 0, bytes: 0 }
}

/** Every present path that is not stored. */
function excludedPaths(store: Store): ExcludedPath[] {
  const sql = `SELECT p.name AS path, coalesce(v.reason, 'never') AS reason, iif(v.kind = 1, v.size, NULL) AS size
    FROM excluded e JOIN path p ON p.id = e.path JOIN version v ON v.id = p.version`
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
