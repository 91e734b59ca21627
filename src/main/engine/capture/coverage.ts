/** Reports what is protected, and every path that is not, with the reason (UI-1). */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'

/** `copying` only while the snapshot process is alive: if it died, the state is `partial` and the next snapshot continues. */
export function coverageState(store: Store): CoverageState {
  const state = store.meta('coverage')
  if (state === 'complete') return 'complete'
  return state === 'copying' && isAlive(snapshotProcessOf(store)) ? 'copying' : 'partial'
}

/** The process of the newest initial snapshot. */
function snapshotProcessOf(store: Store): ProcessId {
  return JSON.parse(store.meta('copier') ?? '{"pid":0,"start":""}') as ProcessId
}

/** The content of a head is evicted only because a person excluded the file. */
const IS_EVICTED = `EXISTS (SELECT 1 FROM content c WHERE c.id = v.content AND c.codec = ${EVICTED_CODEC})`

/** Totals of the stored files, and every path that is not stored, sorted. */
export function coverageOf(store: Store): { covered: CoverageTotals; notCovered: ExcludedPath[] } {
  const covered = store.db
    .prepare(
      'SELECT count(*) AS files, coalesce(sum(v.size), 0) AS bytes FROM path p JOIN version v ON v.id = p.version WHERE v.kind IN (1, 2) AND v.reason IS NULL' +
        ` AND NOT ${IS_EVICTED}`
    )
    .get() as CoverageTotals
  const rows = store.db
    .prepare(
      `SELECT p.name AS path, coalesce(v.reason, 'never') AS reason, v.size, v.kind FROM path p JOIN version v ON v.id = p.version
       WHERE v.kind NOT IN (0, 5) AND (v.reason IS NOT NULL OR ${IS_EVICTED})`
    )
    .all() as { path: string; reason: NotStoredReason; size: number; kind: number }[]
  const notCovered: ExcludedPath[] = rows.map(({ path, reason, size, kind }) => ({
    path,
    reason,
    ...(kind === 1 ? { size } : {})
  }))
  for (const path of listed(store, 'unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of listed(store, 'unreadable'))
    if (!notCovered.some((excluded) => excluded.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered, notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function listed(store: Store, key: string): string[] {
  return JSON.parse(store.meta(key) ?? '[]') as string[]
}
