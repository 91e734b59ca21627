/** [GW-3] Ends runs whose process died. They keep everything that was written, and are marked as interrupted. */
import type { AgentWorkspace } from '../agents/agent-workspace.ts'
import { endQuietRuns, endWithTranscript } from '../agents/inferred-interrupts.ts'
import { checkDisk } from '../drift/check.ts'
import { runFacts, runState } from '../runs/run-state.ts'
import { liveRuns } from '../store/runs.ts'
import { removeStaleDraft } from '../tools/drafts.ts'
import type { OpenWorkspace } from './workspace.ts'

/** Whether the process of a live run is gone, or it was quiet for too long. Takes no lock. */
function hasDeadRun({ store, now }: Pick<AgentWorkspace, 'store' | 'now'>): boolean {
  return liveRuns(store).some((run) => runState(runFacts(store, run, 'check'), now()).state !== 'live')
}

/** Before runs are listed: a run whose process died is never shown as running. Call outside the workspace's lock. */
export async function endDeadRunsFirst(open: OpenWorkspace): Promise<void> {
  if (hasDeadRun(open)) await open.lock.run(() => open.endDeadRuns())
}

/** Call inside the workspace's lock. Cheap while all live runs are alive. */
export async function endDeadRuns(workspace: AgentWorkspace): Promise<void> {
  const { store } = workspace
  await endQuietRuns(workspace)
  const dead = liveRuns(store).flatMap((run) => {
    const verdict = runState(runFacts(store, run, 'check'), workspace.now())
    return verdict.state === 'live' ? [] : [{ run, verdict }]
  })
  if (dead.length === 0) return
  for (const { run } of dead) if (run.source === 'tools') removeStaleDraft(workspace, run.id)
  // While the runs are still open, so that their last changes are recorded as theirs.
  await checkDisk(workspace, 'position')
  for (const { run, verdict } of dead) endWithTranscript(workspace, run, verdict)
  workspace.notifyChanged(['runs', 'checkpoints', 'status'])
}
