/** The events of a checkpoint, when it is made. */
import type { NamedEvent } from '../../../contract/events.ts'
import type { CheckpointRow } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'

export function checkpointEvents(store: Store, workspace: string, row: CheckpointRow): NamedEvent[] {
  const { id: checkpoint, seq, at, reason, label, run, turn } = row
  const envelope = { workspace, seq, at }
  const events: NamedEvent[] = [{ event: 'checkpoint.created', ...envelope, checkpoint, reason, label, run, turn }]
  if (reason === 'run_start' && run !== null && findRun(store, run)?.drifted === 1)
    events.push({ event: 'checkpoint.warning', ...envelope, checkpoint, run, code: 'drifted' })
  const stopped = reason === 'run_stopped' && run !== null ? findRun(store, run) : null
  if (run !== null && stopped) {
    const { agent, title } = stopped
    events.push({ event: 'brake.stopped', ...envelope, checkpoint, run, agent, title, deleted: Number(label) })
  }
  return events
}
