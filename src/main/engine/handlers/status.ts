/** The status of a workspace: coverage, drift, runs, restores, storage. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { InterruptedRun, WorkspaceStatus } from '../../../contract/status.ts'
import { resumeAt } from '../agents/resume.ts'
import { isFolderPresent } from '../capture/presence.ts'
import type { EngineContext } from '../context.ts'
import { listDrift } from '../drift/drifts.ts'
import { describeCheckout } from '../git/git-head.ts'
import { unrecordedWorktrees } from '../git/git-worktrees.ts'
import { lostRepository } from '../git-state/lost.ts'
import { interruptedRestore } from '../restore/settle.ts'
import { positionOf } from '../runs/position.ts'
import { busyRuns } from '../runs/run-state.ts'
import { coverageOf } from '../store/coverage.ts'
import { readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { queuedRestores } from '../store/queued-restores.ts'
import { countRestoredFiles } from '../store/restore-items.ts'
import { findNextRedo, findNextUndo, type RestoreRow } from '../store/restores.ts'
import { hasLaterEndedRun, interruptedRuns, liveRuns, wasSessionContinued } from '../store/runs.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import { greenResult } from '../store/test-results.ts'
import { findCall, openCallsOf } from '../store/tool-calls.ts'
import { sessionOfTurn, turnsOf } from '../store/turns.ts'
import { worktreeMode } from '../workspaces/born-worktrees.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import { ingestSpool } from './agents.ts'
import { hostState } from './app.ts'
import type { WorkspaceHandlers } from './handler.ts'
import { measureStorage, workspaceStateOf } from './workspace-state.ts'
import { removedWorktrees } from './worktrees.ts'

export const STATUS: WorkspaceHandlers<'workspace.status' | 'coverage.list'> = {
  'workspace.status': async (open, { check }, context) => {
    open.detectForeignCommits()
    if (check) {
      await ingestSpool(context)
      await open.lock.run(() => open.refresh('present'))
    }
    return status(context, open)
  },
  'coverage.list': (open) => coverageOf(open, open.repositories.unkept())
}

function status(context: EngineContext, open: OpenWorkspace): WorkspaceStatus {
  const { store } = open
  const { registry } = context
  const mode = worktreeMode(registry.setting, open.workspace.id)
  const busy = new Set(busyRuns(store).map(({ id }) => id))
  return {
    workspace: open.workspace,
    ...workspaceStateOf(open),
    head: store.records.lastSeq(),
    rev: readRev(store),
    host: hostState(context),
    ...coverageOf(open, open.repositories.unkept()),
    drift: listDrift(store, 'open'),
    activeRuns: liveRuns(store).map((run) => ({
      run: run.id,
      title: run.name,
      agent: run.agent,
      startedAt: run.started_at,
      mayWrite: busy.has(run.id),
      quietSince: run.source !== 'command' && openCallsOf(store, run.id).length === 0 ? run.last_event_at : null
    })),
    interruptedRuns: listInterruptedRuns(open),
    stopped: open.brake.list(),
    interruptedRestore: interruptedRestore(open),
    queuedRestores: queuedRestores(store),
    undo: undoable(store, findNextUndo(store)),
    redo: undoable(store, findNextRedo(store)),
    lastPass: greenResult(store),
    store: measureStorage(registry, open),
    disk: open.space.measure(),
    worktrees: mode === 'off' ? [] : unrecordedWorktrees(open.root, registry.list()),
    worktreeMode: mode,
    removedWorktrees: removedWorktrees(registry, open.workspace.id),
    ...repositoriesIn(open),
    branch: describeCheckout(open.root),
    checkedAt: open.disk.checkedAt
  }
}

/** Of a folder that is gone, that says enough. */
function repositoriesIn(open: OpenWorkspace): Pick<WorkspaceStatus, 'repository' | 'lostBelow'> {
  if (!isFolderPresent(open)) return {}
  const [repository, ...below] = open.repositories.all().map((keeper) => {
    const state = lostRepository(keeper)
    return { folder: keeper.path, state: state !== null && keeper.place() === 'folder' ? state : null }
  })
  const lost = below.flatMap(({ folder, state }) => (state === null ? [] : [{ folder, state }]))
  return {
    ...(repository?.state ? { repository: repository.state } : {}),
    ...(lost.length > 0 ? { lostBelow: lost } : {})
  }
}

function undoable(store: Store, row: RestoreRow | null): WorkspaceStatus['undo'] {
  return row ? { restore: row.id, title: row.title, files: countRestoredFiles(store, row.id) } : null
}

/** Older interrupted runs are not offered. */
const MAX_AGE_MS = 7 * 24 * 3600_000
const MAX_RUNS = 5

/**
 * Interrupted runs, newest first: where each stopped, what it had changed, and how to resume it. A run is no longer
 * listed when it was undone, or when work continued: in the conversation of its last turn, in a fork of that, or, for a
 * run without a conversation, in any later run that ended normally.
 */
function listInterruptedRuns(open: OpenWorkspace): readonly InterruptedRun[] {
  const { store } = open
  const listed: InterruptedRun[] = []
  for (const run of interruptedRuns(store, open.now() - MAX_AGE_MS)) {
    if (listed.length === MAX_RUNS) break
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const sessionId = (turn && sessionOfTurn(store, turn)) ?? run.session
    if (sessionId === null ? hasLaterEndedRun(store, run) : wasSessionContinued(store, run, sessionId)) continue
    const session = sessionId ? findSession(store, sessionId) : null
    const position = session ? positionOf(session) : null
    // The session may have moved on to another run; its position then says nothing about this one.
    const lastPosition = position?.run === run.id ? position : null
    listed.push({
      run: run.id,
      session: sessionId,
      agent: run.agent,
      turn,
      phase: lastPosition?.phase ?? 'stopped',
      toolCall: lastPosition?.toolCall ?? null,
      resume: session ? resumeOf(open, session) : null,
      title: run.name,
      at: run.ended_at ?? run.started_at,
      ...openCallOf(store, lastPosition?.toolCall ?? null),
      files: run.files
    })
  }
  return listed
}

function openCallOf(store: Store, id: string | null): Pick<InterruptedRun, 'doing' | 'openCall'> {
  const call = id === null ? null : findCall(store, id)
  if (!call) return { doing: '', openCall: null }
  const { name, summary } = call
  return { doing: [name, summary].filter(Boolean).join(': '), openCall: { name, summary } }
}

function resumeOf(open: OpenWorkspace, session: SessionRow): { command: string; cwd: string } | null {
  try {
    const { command, cwd } = resumeAt(open, session, session.revision, { fork: false })
    return { command, cwd }
  } catch (error) {
    // Driftline has no resume command for this agent.
    if (error instanceof DriftlineError) return null
    throw error
  }
}
