/** Which recorded paths are stored, and which are not: questions over tables `path`, `version` and `content`. */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { CoverageTotals } from '../../../contract/workspace.ts'
import { EVICTED_CODEC } from './codec.ts'
import type { Store } from './open-store.ts'
import { all, column, get, run, type Writable } from './sql.ts'

/** The content of a head is evicted only because a person excluded the file. */
const IS_EVICTED = `EXISTS (SELECT 1 FROM content c WHERE c.id = v.content AND c.codec = ${EVICTED_CODEC})`

/** Totals of the stored files and links. */
export function coverageTotals(store: Store): CoverageTotals {
  const sql = `SELECT count(*) AS files, coalesce(sum(v.size), 0) AS bytes FROM path p JOIN version v ON v.id = p.version
    WHERE v.kind IN (1, 2) AND v.reason IS NULL AND NOT ${IS_EVICTED}`
  return get(store, sql) ?? { files: 0, bytes: 0 }
}

export interface ExcludedRow {
  readonly path: string
  readonly reason: NotStoredReason
  readonly size: number
  /** The number of the version's kind (store-schema.ts). */
  readonly kind: number
}

/** Every present path that is not stored. */
export function excludedPaths(store: Store): ExcludedRow[] {
  const sql = `SELECT p.name AS path, coalesce(v.reason, 'never') AS reason, v.size, v.kind FROM path p JOIN version v ON v.id = p.version
     WHERE v.kind NOT IN (0, 5) AND (v.reason IS NOT NULL OR ${IS_EVICTED})`
  return all(store, sql)
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
