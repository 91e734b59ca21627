/** What is protected and what is not, with the reason for each (UI-1). */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'

/** `copying` only while the process that copies is alive: one that died leaves `partial`, and the next copy goes on from there. */
export function coverageState(store: Store): CoverageState {
  const state = store.meta('coverage')
  if (state === 'complete') return 'complete'
  return state === 'copying' && isAlive(copierOf(store)) ? 'copying' : 'partial'
}

/** The process of the newest first copy. */
function copierOf(store: Store): ProcessId {
  return JSON.parse(store.meta('copier') ?? '{"pid":0,"start":""}') as ProcessId
}

/** The present content of a file is only ever let go of because it is on the never-keep list. */
const LET_GO = `EXISTS (SELECT 1 FROM content c WHERE c.id = v.content AND c.codec = ${EVICTED_CODEC})`

/** Files whose content is kept, and every path that is not, sorted. */
export function coverageOf(store: Store): { covered: CoverageTotals; notCovered: ExcludedPath[] } {
  const kept = store.db
    .prepare(
      'SELECT count(*) AS files, coalesce(sum(v.size), 0) AS bytes FROM path p JOIN version v ON v.id = p.version WHERE v.kind IN (1, 2) AND v.reason IS NULL' +
        ` AND NOT ${LET_GO}`
    )
    .get() as CoverageTotals
  const rows = store.db
    .prepare(
      `SELECT p.name AS path, coalesce(v.reason, 'never') AS reason, v.size, v.kind FROM path p JOIN version v ON v.id = p.version
       WHERE v.kind NOT IN (0, 5) AND (v.reason IS NOT NULL OR ${LET_GO})`
    )
    .all() as { path: string; reason: NotStoredReason; size: number; kind: number }[]
  const notCovered: ExcludedPath[] = rows.map(({ path, reason, size, kind }) => ({
    path,
    reason,
    ...(kind === 1 ? { size } : {})
  }))
  for (const path of listed(store, 'unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of listed(store, 'unreadable'))
    if (!notCovered.some((one) => one.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered: kept, notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function listed(store: Store, key: string): string[] {
  return JSON.parse(store.meta(key) ?? '[]') as string[]
}
