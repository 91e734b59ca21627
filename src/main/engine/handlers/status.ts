/** The status of a workspace: coverage, drift, runs, restores, storage. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { coverageOf } from '../capture/coverage.ts'
import { observe } from '../capture/observe.ts'
import type { EngineContext } from '../context.ts'
import { readRev } from '../db/transaction.ts'
import { listDrift } from '../drift/drifts.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { describeCheckout } from '../git/git-head.ts'
import { unrecordedWorktrees } from '../git/git-worktrees.ts'
import { sameVersion } from '../log/same-version.ts'
import {
  blockingRestore,
  countRestoredFiles,
  findNextRedo,
  findNextUndo,
  journalItems,
  type RestoreRow
} from '../restore/journal.ts'
import { liveRuns } from '../store/runs.ts'
import { busyRuns, openCallsOf } from '../store/tool-calls.ts'
import type { Store } from '../store/open-store.ts'
import { scanWorkspace } from '../workspaces/dead-runs.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Handlers } from './handler.ts'
import { listInterruptedRuns } from './interrupted-runs.ts'
import { measureStorage, workspaceStateOf } from './workspace-state.ts'

export const STATUS: Handlers<'workspace.status' | 'coverage.list'> = {
  'workspace.status': async (context: EngineContext, { workspace, check }) => {
    const open = context.registry.open(workspace)
    open.detectForeignCommits()
    if (check) {
      await open.lock.run(async () => {
        await scanWorkspace(open, 'present')
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
    rev: readRev(store.db),
    host: { watching: watching.now(), lastEnd: options.lastEnd ?? 'clean' },
    ...coverageOf(store),
    drift: listDrift(store, 'open'),
    activeRuns: liveRuns(store).map((run) => ({
      run: run.id,
      title: run.title,
      agent: run.agent,
      startedAt: run.started_at,
      mayWrite: busy.has(run.id),
      quietSince: run.hooked === 1 && openCallsOf(store, run.id).length === 0 ? run.last_event_at : null
    })),
    interruptedRuns: listInterruptedRuns(open),
    interruptedRestore: interruptedRestore(open),
    undo: undoable(store, findNextUndo(store)),
    redo: undoable(store, findNextRedo(store)),
    store: measureStorage(registry, open),
    disk: open.space.measure(),
    worktrees: unrecordedWorktrees(registry, open.root),
    branch: describeCheckout(open.root),
    checkedAt: open.checkedAt
  }
}

/** Progress of an interrupted restore: the number of its paths that are on disk as it would have written them. */
function interruptedRestore(open: OpenWorkspace): WorkspaceStatus['interruptedRestore'] {
  const { store, root } = open
  const row = blockingRestore(store)
  if (!row?.abandoned) return null
  const items = journalItems(store, row.id).filter((item) => item.action !== 'keep')
  const fs = createWorkspaceFs(root)
  const written = items.filter((item) =>
    sameVersion(
      store.records.version(item.after),
      observe(fs, store.content, item.path, { limit: Number.POSITIVE_INFINITY, folderReason: null }).version
    )
  ).length
  return { id: row.id, written, total: items.length }
}

function undoable(store: Store, row: RestoreRow | null): WorkspaceStatus['undo'] {
  return row ? { restore: row.id, title: row.title, files: countRestoredFiles(store, row.id) } : null
}
