/** Beginning and ending a run around a command. */
import type { RunResult } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { coverageState } from '../capture/coverage.ts'
import { acceptDrift } from '../checkpoints/before-run.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { EngineContext } from '../context.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { diffOf } from '../diff/requested.ts'
import { openRestore } from '../restore/journal.ts'
import { lookAtFolder } from '../sessions/dead-runs.ts'
import { endRun } from '../sessions/end-run.ts'
import { findRun, openRun } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { refuseWithoutRoom } from '../workspaces/disk-space.ts'
import { refuseWhileMissing } from '../workspaces/presence.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Handlers } from './handler.ts'

export const RUNS: Handlers<'run.begin' | 'run.end'> = {
  'run.begin': ({ registry }, params) => {
    const open = registry.open(params.workspace)
    refuseWhileMissing(open, 'nothing can be recorded.')
    return open.lock.run(async () => {
      const { store } = open
      refuseDuringRestore(store)
      await lookAtFolder(open, 'position')
      refuseWithoutRoom(open.space)
      const incomplete = coverageState(store) !== 'complete'
      const begun = write(store.db, () => {
        const at = open.now()
        const drifted = acceptDrift(open, params.session ?? null)
        const start = addCheckpoint(open, { reason: 'run_start', session: params.session ?? null }, at)
        const { run } = openRun(
          store,
          {
            title: params.title,
            agent: params.agent,
            session: params.session ?? null,
            process: { pid: params.pid, start: params.pidStart },
            startSeq: start.seq,
            startCheckpoint: start.id,
            drifted,
            incomplete
          },
          at
        )
        bumpRev(store.db)
        return { run, prevCheckpointId: start.id, workspaceDrifted: drifted }
      })
      open.changed(['runs', 'checkpoints', 'drift', 'status'])
      return { ...begun, warning: incomplete ? INCOMPLETE : '' }
    })
  },
  'run.end': (context, { workspace, run, exitCode }) => {
    const open = context.registry.open(workspace)
    return open.lock.run(() => end(context, open, run, exitCode))
  }
}

/** [RS-7] What an unfinished restore touches is nobody's until it is settled, so a run could not be recorded truly. */
function refuseDuringRestore(store: Store): void {
  const restore = openRestore(store)
  if (!restore) return
  throw new DriftlineError(
    'Refused',
    restore.abandoned
      ? 'A restore stopped half way, so a run could not be recorded truly. Nothing was started. Finish it or undo it first (driftline recover finish | undo).'
      : 'A restore is being written right now. Nothing was started; try again when it is done.',
    { restore: restore.id }
  )
}

const INCOMPLETE =
  'The first copy was not complete when this run began: what files held before may be missing for some.'

async function end(
  context: EngineContext,
  open: OpenWorkspace,
  id: string,
  exitCode: number | null
): Promise<RunResult> {
  const { store } = open
  const run = findRun(store, id)
  if (!run) throw new DriftlineError('UnknownTarget', `No run "${id}" was recorded here.`, { target: id })
  if (run.state === 'live') {
    await lookAtFolder(open, 'position')
    const totals = endRun(open, run, { state: 'ended', exitCode, incomplete: false })
    open.changed(['runs', 'checkpoints', 'status'])
    context.emit('run.ended', { workspace: open.workspace.id, run: id, title: run.title, files: totals.files })
  }
  const ended = findRun(store, id)
  const diff = diffOf(store, { target: id, scope: 'run' })
  return { ...diff, run: id, checkpointId: ended?.end_checkpoint ?? '', state: ended?.state ?? 'ended' }
}
