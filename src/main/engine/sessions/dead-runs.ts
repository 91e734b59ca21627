/** [GW-3] Ends runs whose process died: they keep everything that was written, and say so. */
import { endQuietRuns } from '../agents/inferred-interrupts.ts'
import { checkDisk } from '../drift/check.ts'
import { isAlive } from '../ports/processes.ts'
import { removeStaleDraft } from '../tools/drafts.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { endRun } from './end-run.ts'
import { liveRuns, type RunRow } from './runs.ts'
import { findSession } from './sessions.ts'
import { openCallsOf } from './tool-calls.ts'

/** An agent that has said nothing for this long is taken for gone; only for runs told by hooks, ms. */
const IDLE_MS = 6 * 3600_000
/** The same for clients of our own tools, which do not tell when they are done with what they were asked. */
const TOOLS_IDLE_MS = 10 * 60_000

/** What every question about the present begins with: runs that died are ended, then the disk is compared. Call inside the lock. */
export async function scanWorkspace(recorder: Recorder, mode: 'position' | 'present'): Promise<void> {
  await endDeadRuns(recorder)
  await checkDisk(recorder, mode)
}

/** Call inside the workspace's lock. Cheap when every live run's process is alive and at work. */
export async function endDeadRuns(recorder: Recorder): Promise<void> {
  const { store } = recorder
  await endQuietRuns(recorder)
  const isGone = (run: RunRow): boolean =>
    (run.pid > 0 && !isAlive({ pid: run.pid, start: run.pid_start })) ||
    (run.hooked === 1 && recorder.now() - run.last_event_at > (run.tools === 1 ? TOOLS_IDLE_MS : IDLE_MS))
  const gone = liveRuns(store).filter(isGone)
  if (gone.length === 0) return
  for (const run of gone) if (run.tools === 1) removeStaleDraft(recorder, run.id)
  // What it wrote last is taken into the run before it is closed.
  await checkDisk(recorder, 'position')
  for (const run of gone) {
    // It had said it was done; only what it left working in the background ended with its process.
    const stopped =
      run.tools === 1
        ? openCallsOf(store, run.id).length === 0
        : run.session !== null && (findSession(store, run.session)?.background ?? 0) > 0
    endRun(recorder, run, { state: stopped ? 'ended' : 'interrupted', exitCode: null, incomplete: !stopped })
  }
  recorder.notifyChanged(['runs', 'checkpoints', 'status'])
}
