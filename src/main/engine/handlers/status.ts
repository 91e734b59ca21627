/** The status of a workspace: coverage, drift, runs, restores, storage. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EngineContext } from '../context.ts'
import { listDrift } from '../drift/drifts.ts'
import { describeCheckout } from '../git/git-head.ts'
import { unrecordedWorktrees } from '../git/git-worktrees.ts'
import { interruptedRestore } from '../restore/settle.ts'
import { busyRuns } from '../runs/busy-runs.ts'
import { coverageOf } from '../store/coverage.ts'
import { readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { countRestoredFiles } from '../store/restore-items.ts'
import { findNextRedo, findNextUndo, type RestoreRow } from '../store/restores.ts'
import { liveRuns } from '../store/runs.ts'
import { openCallsOf } from '../store/tool-calls.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { Handlers } from './handler.ts'
import { listInterruptedRuns } from './interrupted-runs.ts'
import { measureStorage, workspaceStateOf } from './workspace-state.ts'

export const STATUS: Handlers<'workspace.status' | 'coverage.list'> = {
  'workspace.status': async (context: EngineContext, { workspace, check }) => {
    const open = context.registry.open(workspace)
    open.detectForeignCommits()
    if (check) {
      await open.lock.run(async () => {
        await open.refresh('present')
      })
    }
    return status(context, open)
  },
  'coverage.list': ({ registry }, { workspace }) => coverageOf(registry.open(workspace).store)
}

function status({ registry, watching, options }: EngineContext, open: OpenWorkspace): WorkspaceStatus {
  const { store } = open
  const busy = new Set(busyRuns(store).map(({ id }) => id))
  return {
    workspace: open.workspace,
    ...workspaceStateOf(open),
    head: store.records.lastSeq(),
    rev: readRev(store),
    host: { watching: watching.now(), lastEnd: options.lastEnd ?? 'clean' },
    ...coverageOf(store),
    drift: listDrift(store, 'open'),
    activeRuns: liveRuns(store).map((run) => ({
      run: run.id,
      title: run.title,
      agent: run.agent,
      startedAt: run.started_at,
      mayWrite: busy.has(run.id),
      quietSince: run.source !== 'command' && openCallsOf(store, run.id).length === 0 ? run.last_event_at : null
    })),
    interruptedRuns: listInterruptedRuns(open),
    interruptedRestore: interruptedRestore(open),
    undo: undoable(store, findNextUndo(store)),
    redo: undoable(store, findNextRedo(store)),
    store: measureStorage(registry, open),
    disk: open.space.measure(),
    worktrees: unrecordedWorktrees(open.root, registry.list()),
    branch: describeCheckout(open.root),
    checkedAt: open.disk.checkedAt
  }
}

function undoable(store: Store, row: RestoreRow | null): WorkspaceStatus['undo'] {
  return row ? { restore: row.id, title: row.title, files: countRestoredFiles(store, row.id) } : null
}
