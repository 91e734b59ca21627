/** How a recorded folder stands: what its status and the list of all folders say alike. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { StorageUse } from '../../../contract/storage.ts'
import type { Standing, WorkspaceSummary } from '../../../contract/workspace.ts'
import { coverageState } from '../capture/coverage.ts'
import type { EngineContext } from '../context.ts'
import { listDrift } from '../drift/drifts.ts'
import { boundsOf } from '../retention/bounds.ts'
import { usageOf } from '../retention/usage.ts'
import { liveRuns } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { mainWorktreeOf } from '../workspaces/git-worktrees.ts'
import { isThere, whyMissing } from '../workspaces/presence.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Registered, Registry } from '../workspaces/registry.ts'

export function standingOf(open: OpenWorkspace): Standing {
  const watcher = open.watcherState()
  return {
    folder: isThere(open) ? 'present' : 'missing',
    recording: watcher.state !== 'off',
    watcher,
    coverage: coverageState(open.store),
    copy: open.copy,
    lastEditAt: lastEditAt(open.store)
  }
}

export function storageOf(registry: Registry, { store, workspace }: OpenWorkspace): StorageUse {
  return { ...usageOf(store), budget: boundsOf(registry.setting, workspace.id).budget }
}

/** A damaged or newer store is listed, so that it can be looked into. */
export function summaryOf({ registry, clock }: EngineContext, registered: Registered): WorkspaceSummary {
  const main = mainWorktreeOf(registered.root)
  const base = { ...registered, ...(main ? { worktreeOf: main } : {}) }
  let open: OpenWorkspace
  try {
    open = registry.open(registered.id)
  } catch (error) {
    if (!(error instanceof DriftlineError)) throw error
    return {
      ...base,
      folder: whyMissing(registered.root, null) === '' ? 'present' : 'missing',
      recording: false,
      watcher: { state: 'off', why: error.message },
      coverage: 'partial',
      copy: null,
      store: null,
      live: false,
      openDrift: 0,
      runsToday: 0,
      lastAt: null,
      lastEditAt: null
    }
  }
  const { store } = open
  const midnight = new Date(clock.now()).setHours(0, 0, 0, 0)
  const today = store.db.prepare('SELECT count(*) AS n FROM run WHERE started_at >= ?').get(midnight) as { n: number }
  return {
    ...base,
    ...standingOf(open),
    store: storageOf(registry, open),
    live: liveRuns(store).length > 0,
    openDrift: listDrift(store, 'open').reduce((sum, drift) => sum + drift.count, 0),
    runsToday: today.n,
    lastAt: lastEntryAt(store)
  }
}

function lastEditAt(store: Store): number | null {
  const row = store.db.prepare('SELECT at FROM edit ORDER BY seq DESC LIMIT 1').get() as { at: number } | undefined
  return row?.at ?? null
}

function lastEntryAt(store: Store): number | null {
  const last = store.db
    .prepare(
      'SELECT max((SELECT coalesce(max(started_at), 0) FROM run), (SELECT coalesce(max(at), 0) FROM edit), (SELECT coalesce(max(at), 0) FROM checkpoint)) AS at'
    )
    .get() as { at: number }
  return last.at || null
}
