/**
 * [RN-2] The `driftline run` that an agent works in. Until an agent reports, every change is attributed to such a run;
 * from the first event of one until the end of its session only those during its tool calls are, as in its own runs.
 */
import { checkDisk } from '../drift/check.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, joinRun, leaveRun, type RunRow } from '../store/runs.ts'
import { transact, type Writable } from '../store/sql.ts'
import { asOf, type IngestContext } from './ingest-context.ts'

/** The live run of `driftline run` that the agent was started in. */
export function findOuterRun({ store, hookEvent }: IngestContext): RunRow | null {
  const run = hookEvent.run ? findRun(store, hookEvent.run) : null
  return run?.state === 'live' && run.source === 'command' ? run : null
}

/** The agent reports. What changed before is still the run's. Call inside the workspace's lock, before its actions. */
export async function joinOuterRun(ingest: IngestContext): Promise<void> {
  const outer = findOuterRun(ingest)
  if (!outer || outer.isJoined === 1) return
  await checkDisk(ingest.workspace, 'present', asOf(ingest))
  transact(ingest.store, (tx) => joinRun(tx, outer.id))
}

/** The session of the agent ended. Call after a check, so that the changes of its time are recorded. */
export function leaveOuterRun(tx: Writable<Store>, ingest: IngestContext): void {
  const outer = findOuterRun(ingest)
  if (outer) leaveRun(tx, outer.id, ingest.origin.session)
}
