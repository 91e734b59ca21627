/** What was changed outside before a run starts becomes part of its baseline; with `capture.preRunDrift` it is a checkpoint first. */
import { acceptOpenDrift, listDrift } from '../drift/drifts.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { addCheckpoint } from './checkpoints.ts'

/** Set to "true", each run that finds the folder changed outside has a position of its own before its start. */
export const PRE_RUN_DRIFT = 'capture.preRunDrift'

/** Returns whether there was any. Call inside a transaction, after a check (CK-2), before `run_start`. */
export function acceptDrift(recorder: Recorder, session: string | null): boolean {
  const { store } = recorder
  const open = listDrift(store, 'open')
  if (open.length > 0 && recorder.setting(PRE_RUN_DRIFT) === 'true') {
    const files = open.reduce((all, drift) => all + drift.count, 0)
    const label = files === 1 ? '1 file changed outside' : `${files} files changed outside`
    addCheckpoint(recorder, { reason: 'pre_run_drift', label, session }, recorder.now())
  }
  return acceptOpenDrift(store)
}
