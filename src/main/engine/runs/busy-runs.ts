/** [RS-8] Live runs that may write at any moment. */
import type { Store } from '../store/open-store.ts'
import { liveRuns, type RunRow } from '../store/runs.ts'
import { openCallsOf } from '../store/tool-calls.ts'

/** A run through the file tools writes only during a call. */
export function busyRuns(store: Store): RunRow[] {
  return liveRuns(store).filter((run) => run.source !== 'tools' || openCallsOf(store, run.id).length > 0)
}
