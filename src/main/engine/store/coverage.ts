/** Reports what is protected, and every path that is not, with the reason (UI-1). */
import type { CoverageState, CoverageTotals, ExcludedPath } from '../../../contract/workspace.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import { coverageTotals, excludedPaths } from './coverage-queries.ts'
import { readMeta } from './meta.ts'
import type { Store } from './open-store.ts'

/** `copying` only while the snapshot process is alive: if it died, the state is `partial` and the next snapshot continues. */
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
  const notCovered: ExcludedPath[] = excludedPaths(store).map(({ path, reason, size, kind }) => ({
    path,
    reason,
    ...(kind === 1 ? { size } : {})
  }))
  for (const path of listed(store, 'unnameable')) notCovered.push({ path, reason: 'name' })
  for (const path of listed(store, 'unreadable'))
    if (!notCovered.some((excluded) => excluded.path === path)) notCovered.push({ path, reason: 'unreadable' })
  return { covered: coverageTotals(store), notCovered: notCovered.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function listed(store: Store, key: string): string[] {
  return JSON.parse(readMeta(store, key) ?? '[]') as string[]
}
