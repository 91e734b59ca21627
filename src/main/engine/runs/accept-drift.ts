/**
 * Outside edits found before a run starts become part of the run's baseline: its diff must not show them, and undoing it must
 * keep them. With the setting `capture.preRunDrift` a checkpoint marks the position first.
 */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { listDrift } from '../drift/drifts.ts'
import { acceptOpenDrift } from '../store/drifts.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import type { RunContext } from './run-context.ts'

/** "true": drift that a run accepts gets a checkpoint of its own before the start of the run. */
export const PRE_RUN_DRIFT = 'capture.preRunDrift'

/** Returns whether there was any drift. Call after a scan (CK-2), before the `run_start` checkpoint. */
export function acceptDrift(tx: Writable<Store>, context: RunContext, session: string | null): boolean {
  const open = listDrift(tx, 'open')
  if (open.length > 0 && context.setting(PRE_RUN_DRIFT) === 'true') {
    const files = open.reduce((total, drift) => total + drift.count, 0)
    const label = files === 1 ? '1 file changed outside' : `${files} files changed outside`
    addCheckpoint(tx, context.root, { reason: 'pre_run_drift', label, session }, context.now())
  }
  return acceptOpenDrift(tx)
}
