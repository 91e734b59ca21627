/** How a workspace stands: protection, drift, runs, restores, space. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { coverageOf } from '../capture/coverage.ts'
import { observe } from '../capture/observe.ts'
import type { EngineContext } from '../context.ts'
import { readRev } from '../db/transaction.ts'
import { listDrift } from '../drift/drifts.ts'
import { createInside } from '../files/inside.ts'
import { sameVersion } from '../log/same-version.ts'
import { filesRestored, journalItems, nextRedo, nextUndo, openRestore, type RestoreRow } from '../restore/journal.ts'
import { lookAtFolder } from '../sessions/dead-runs.ts'
import { liveRuns } from '../sessions/runs.ts'
import { busyRuns, openCallsOf } from '../sessions/tool-calls.ts'
import type { Store } from '../store/open-store.ts'
import { checkedOut } from '../workspaces/git-facts.ts'
import { unrecordedWorktrees } from '../workspaces/git-worktrees.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Handlers } from './handler.ts'
import { interruptedRuns } from './interrupted-runs.ts'
import { standingOf, storageOf } from './standing.ts'

export const STATUS: Handlers<'workspace.status' | 'coverage.list'> = {
  'workspace.status': async (context: EngineContext, { workspace, check }) => {
    const open = context.registry.open(workspace)
    open.noticeForeignCommits()
    if (check) {
      await open.lock.run(async () => {
        await lookAtFolder(open, 'present')
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
    ...standingOf(open),
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
    interruptedRuns: interruptedRuns(open),
    interruptedRestore: interruptedRestore(open),
    undo: undoable(store, nextUndo(store)),
    redo: undoable(store, nextRedo(store)),
    store: storageOf(registry, open),
    disk: open.space.look(),
    worktrees: unrecordedWorktrees(registry, open.root),
    branch: checkedOut(open.root),
    checkedAt: open.checkedAt
  }
}

/** How far a restore came that was cut off: what is on disk is compared with what it wanted. */
function interruptedRestore(open: OpenWorkspace): WorkspaceStatus['interruptedRestore'] {
  const { store, root } = open
  const row = openRestore(store)
  if (!row?.abandoned) return null
  const items = journalItems(store, row.id).filter((item) => item.action !== 'keep')
  const inside = createInside(root)
  const written = items.filter((item) =>
    sameVersion(
      store.records.version(item.after),
      observe(inside, store.content, item.path, { limit: Number.POSITIVE_INFINITY, folderReason: null }).version
    )
  ).length
  return { id: row.id, written, total: items.length }
}

function undoable(store: Store, row: RestoreRow | null): WorkspaceStatus['undo'] {
  return row ? { restore: row.id, title: row.title, files: filesRestored(store, row.id) } : null
}
