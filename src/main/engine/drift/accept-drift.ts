/**
 * Outside edits found before a run starts become part of the run's baseline: its diff must not show them, and undoing it must
 * keep them. With the setting `capture.preRunDrift` a checkpoint marks the position first.
 */

import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { acceptOpenDrift, listDrift } from './drifts.ts'

/** "true": drift that a run accepts gets a checkpoint of its own before the start of the run. */
export const PRE_RUN_DRIFT = 'capture.preRunDrift'

/** Returns whether there was any drift. Call inside a transaction, after a scan (CK-2), before the `run_start` checkpoint. */
export function acceptDrift(recorder: Recorder, session: string | null): boolean {
  const { store } = recorder
  const open = listDrift(store, 'open')
  if (open.length > 0 && recorder.setting(PRE_RUN_DRIFT) === 'true') {
    const files = open.reduce((total, drift) => total + drift.count, 0)
    const label = files === 1 ? '1 file changed outside' : `${files} files changed outside`
    addCheckpoint(recorder, { reason: 'pre_run_drift', label, session }, recorder.now())
  }
  return acceptOpenDrift(store)
}
