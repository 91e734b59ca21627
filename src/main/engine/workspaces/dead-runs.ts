/** [GW-3] Ends runs whose process died. They keep everything that was written, and are marked as interrupted. */
import type { AgentWorkspace } from '../agents/agent-workspace.ts'
import { endQuietRuns } from '../agents/inferred-interrupts.ts'
import { checkDisk } from '../drift/check.ts'
import { isAlive } from '../ports/processes.ts'
import { endRun } from '../runs/end-run.ts'
import { liveRuns, type RunRow } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'
import { openCallsOf } from '../store/tool-calls.ts'
import { removeStaleDraft } from '../tools/drafts.ts'

/** A run reported by hooks counts as dead when no event came for this long, ms: a process id may be missing or shared. */
const IDLE_MS = 6 * 3600_000
/** The same for a client of the file tools: it does not report when it is done. */
const TOOLS_IDLE_MS = 10 * 60_000

/** Call inside the workspace's lock. Cheap while all live runs are alive. */
export async function endDeadRuns(recorder: AgentWorkspace): Promise<void> {
  const { store } = recorder
  await endQuietRuns(recorder)
  const isDead = (run: RunRow): boolean =>
    (run.pid > 0 && !isAlive({ pid: run.pid, start: run.pid_start })) ||
    (run.source !== 'command' &&
      recorder.now() - run.last_event_at > (run.source === 'tools' ? TOOLS_IDLE_MS : IDLE_MS))
  const dead = liveRuns(store).filter(isDead)
  if (dead.length === 0) return
  for (const run of dead) if (run.source === 'tools') removeStaleDraft(recorder, run.id)
  // While the runs are still open, so that their last changes are recorded as theirs.
  await checkDisk(recorder, 'position')
  for (const run of dead) {
    // Its agent had stopped; only background work of it ended with the process.
    const hadStopped =
      run.source === 'tools'
        ? openCallsOf(store, run.id).length === 0
        : run.session !== null && (findSession(store, run.session)?.background ?? 0) > 0
    endRun(recorder, run, { state: hadStopped ? 'ended' : 'interrupted', exitCode: null, incomplete: !hadStopped })
  }
  recorder.notifyChanged(['runs', 'checkpoints', 'status'])
}
