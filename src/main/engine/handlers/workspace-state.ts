/** The state of a workspace that its status and the list of all workspaces share. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { StorageUse } from '../../../contract/storage.ts'
import type { WorkspaceState, WorkspaceSummary } from '../../../contract/workspace.ts'
import { isFolderPresent, missingReason } from '../capture/presence.ts'
import type { EngineContext } from '../context.ts'
import { listDrift } from '../drift/drifts.ts'
import { mainWorktreeOf } from '../git/git-worktrees.ts'
import { createPaced, type Paced } from '../ports/paced.ts'
import { limitsOf } from '../retention/limits.ts'
import { usageOf } from '../retention/usage.ts'
import { coverageState } from '../store/coverage.ts'
import { lastEditAt } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { holdsFiles } from '../store/paths.ts'
import { countRunsSince, liveRuns, writerOfLastEdit } from '../store/runs.ts'
import { lastActivityAt } from '../store/timeline.ts'
import type { Registered } from '../workspaces/recorded-folders.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'

export function workspaceStateOf(open: OpenWorkspace): WorkspaceState {
  const watcher = open.watcherState()
  return {
    ...folderState(open),
    recording: watcher.state !== 'off',
    watcher,
    coverage: coverageState(open.store),
    copy: open.snapshotProgress,
    lastEditAt: lastEditAt(open.store)
  }
}

/** [RS-19] */
function folderState(open: OpenWorkspace): Pick<WorkspaceState, 'folder' | 'deletedBy'> {
  if (isFolderPresent(open)) return { folder: 'present', deletedBy: null }
  const run = holdsFiles(open.store) ? null : writerOfLastEdit(open.store)
  return { folder: 'missing', deletedBy: run && { run: run.id, title: run.name } }
}

export function measureStorage(registry: Registry, open: OpenWorkspace): StorageUse {
  return { ...usageNow(open), budget: limitsOf(registry.setting, open.workspace.id).budget }
}

type Usage = ReturnType<typeof usageOf>

/** Until an initial snapshot is complete, all its contents are summed each time: then it may be some seconds old. */
function usageNow({ store, snapshotProgress }: OpenWorkspace): Usage {
  if (!snapshotProgress) return usageOf(store)
  const last = lastUsage.get(store)
  if (last && !last.paced.isDue()) return last.usage
  const paced = last?.paced ?? createPaced()
  const usage = paced.do(() => usageOf(store))
  lastUsage.set(store, { usage, paced })
  return usage
}

const lastUsage = new WeakMap<Store, { readonly usage: Usage; readonly paced: Paced }>()

/** A workspace whose store is damaged or newer is listed, too, with the reason in `watcher.why`. */
export function summarizeWorkspace({ registry, clock }: EngineContext, registered: Registered): WorkspaceSummary {
  const mainWorktree = mainWorktreeOf(registered.root)
  const base = { ...registered, ...(mainWorktree ? { worktreeOf: mainWorktree } : {}) }
  let open: OpenWorkspace
  try {
    open = registry.open(registered.id)
  } catch (error) {
    if (!(error instanceof DriftlineError)) throw error
    return {
      ...base,
      folder: missingReason(registered.root, null) === null ? 'present' : 'missing',
      deletedBy: null,
      recording: false,
      watcher: { state: 'off', why: { code: 'unopened', message: error.message }, handles: null },
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
  return {
    ...base,
    ...workspaceStateOf(open),
    store: measureStorage(registry, open),
    live: liveRuns(store).length > 0,
    openDrift: listDrift(store, 'open').reduce((sum, drift) => sum + drift.count, 0),
    runsToday: countRunsSince(store, midnight),
    lastAt: lastActivityAt(store)
  }
}
