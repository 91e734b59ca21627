/** [GW-3] Ends runs whose process died: they keep everything that was written, and say so. */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { runTotals } from '../diff/totals.ts'
import { checkDisk } from '../drift/check.ts'
import { isAlive } from '../ports/processes.ts'
import { readGitHead } from '../workspaces/git-facts.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { closeRun, editsOfRun, liveRuns } from './runs.ts'

/** What every question about the present begins with: runs that died are ended, then the disk is compared. Call inside the lock. */
export async function lookAtFolder(recorder: Recorder): Promise<void> {
  await endDeadRuns(recorder)
  await checkDisk(recorder, 'boundary')
}

/** Call inside the workspace's lock. Cheap when every live run's process is alive. */
export async function endDeadRuns(recorder: Recorder): Promise<void> {
  const { store } = recorder
  const dead = liveRuns(store).filter((run) => !isAlive({ pid: run.pid, start: run.pid_start }))
  if (dead.length === 0) return
  // What it wrote last is taken into the run before it is closed.
  await checkDisk(recorder, 'boundary')
  for (const run of dead) {
    const totals = runTotals(store, run.id)
    write(store.db, () => {
      const at = recorder.now()
      const changed = editsOfRun(store, run.id).length > 0
      const end = changed
        ? addCheckpoint(store, { reason: 'end_of_turn', run: run.id, session: run.session }, at)
        : null
      const git = readGitHead(recorder.root)
      closeRun(
        store,
        run.id,
        {
          state: 'interrupted',
          seq: store.records.lastSeq(),
          checkpoint: end?.id ?? null,
          exitCode: null,
          gitHead: git?.commit ?? '',
          ...totals,
          incomplete: true
        },
        at
      )
      bumpRev(store.db)
    })
  }
  recorder.changed(['runs', 'checkpoints', 'status'])
}
