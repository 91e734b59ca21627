/**
 * [GW-4] Ends runs whose end no hook reports, above all after an interrupt (Esc): once an agent has been quiet, the
 * tail of its transcript is read for the end.
 */
import { checkDisk } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { endRun } from '../runs/end-run.ts'
import { runFacts } from '../runs/run-facts.ts'
import { runState } from '../runs/run-state.ts'
import { findRun, liveRuns, type RunRow } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { abandonCalls, closeCall } from '../store/tool-calls.ts'
import type { AgentWorkspace } from './agent-workspace.ts'
import { findLateResults, recordLateResults } from './late-tool-results.ts'

/** An agent whose last event is more recent than this is assumed to report the end itself, ms. */
const QUIET_MS = 2000

/** Checks every run whose agent has been quiet. Call inside the workspace's lock. */
export async function endQuietRuns(workspace: AgentWorkspace): Promise<void> {
  for (const run of liveRuns(workspace.store)) {
    if (run.session !== null && workspace.now() - run.last_event_at >= QUIET_MS) await applyLateResults(workspace, run)
  }
}

/**
 * Closes the calls of a run that are over, and the run itself if it was interrupted or its background work is done.
 * Call inside the workspace's lock.
 */
export async function applyLateResults(workspace: AgentWorkspace, run: RunRow): Promise<void> {
  const { store } = workspace
  const session = run.session === null ? null : findSession(store, run.session)
  if (!session) return
  const { calls, interruptedAt } = findLateResults(workspace, run)
  if (calls.length === 0 && interruptedAt === null) return
  recordLateResults(workspace)
  // Record what is on disk first: everything written until now belongs to these calls.
  await checkNamedPaths(workspace, [...new Set(calls.flatMap(({ call }) => JSON.parse(call.paths) as string[]))])
  await checkDisk(workspace, 'position')
  const verdict = transact(store, (tx) => {
    for (const { call, at, state } of calls) closeCall(tx, call.id, state, Math.max(at, call.opened_at))
    if (interruptedAt !== null) abandonCalls(tx, run.id, false, interruptedAt)
    const facts = runFacts(tx, run, interruptedAt === null ? 'found-ends' : 'found-interrupt')
    if (interruptedAt !== null || facts.waiting) updateSession(tx, session.id, { background: facts.working })
    return runState(facts, workspace.now())
  })
  const now = findRun(store, run.id)
  if (now && verdict.state !== 'live') endRun(workspace, now, verdict)
  workspace.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
}
