/** Reports what is protected, and every path that is not, with the reason (UI-1). */
import type { CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { EVICTED_CODEC } from './codec.ts'
import { readMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import { all, column, get, run, type Writable } from './sql.ts'

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

/** Totals of the stored files, and every path that is not stored, sorted. */
export function coverageOf(store: Store): { covered: CoverageTotals; notCovered: ExcludedPath[] } {
  const notCovered = excludedPaths(store)
  for (const path of listed(store, 'unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of listed(store, 'unreadable'))
    if (!notCovered.some((excluded) => excluded.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered: coverageTotals(store), notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function listed(store: Store, key: string): string[] {
  return JSON.parse(readMeta(store, key) ?? '[]') as string[]
}

/** The content of a head is evicted only because a person excluded the file. */
const IS_EVICTED = `EXISTS (SELECT 1 FROM content c WHERE c.id = v.content AND c.codec = ${EVICTED_CODEC})`

/** Totals of the stored files and links. */
function coverageTotals(store: Store): CoverageTotals {
  const sql = `SELECT count(*) AS files, coalesce(sum(v.size), 0) AS bytes FROM path p JOIN version v ON v.id = p.version
    WHERE v.kind IN (1, 2) AND v.reason IS NULL AND NOT ${IS_EVICTED}`
  return get(store, sql) ?? { files: 0, bytes: 0 }
}

/** Every present path that is not stored. */
function excludedPaths(store: Store): ExcludedPath[] {
  const sql = `SELECT p.name AS path, coalesce(v.reason, 'never') AS reason, iif(v.kind = 1, v.size, NULL) AS size
    FROM path p JOIN version v ON v.id = p.version WHERE v.kind NOT IN (0, 5) AND (v.reason IS NOT NULL OR ${IS_EVICTED})`
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
