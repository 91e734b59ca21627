/**
 * The ends of runs and restores, and their events. Invariant: an end has one position that never changes, so that its
 * events come at the same place whenever they are read (EV-1).
 */
import type { NamedEvent } from '../../../contract/events.ts'
import type { Seq } from '../../../contract/log.ts'
import { checkpointUpTo, findCheckpoint, findCheckpointByNumber } from '../store/checkpoints.ts'
import { lastEditOfRestore } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { findRestoreConversation } from '../store/restore-conversations.ts'
import { countRestoredFiles } from '../store/restore-items.ts'
import { findRestore, type RestoreRow } from '../store/restores.ts'
import { findRun } from '../store/runs.ts'

export interface End {
  readonly id: string
  readonly seq: Seq
  readonly at: number
  events(workspace: string): NamedEvent[]
}

/** Null while it has not ended. */
export function endOf(store: Store, id: string): End | null {
  return id.startsWith('run_') ? endOfRun(store, id) : endOfRestore(store, id)
}

function endOfRun(store: Store, id: string): End | null {
  const row = findRun(store, id)
  if (!row || row.state === 'live' || row.end_seq === null || row.ended_at === null) return null
  const { end_seq: seq, ended_at: at, state, agent, title, files, added, deleted, start_checkpoint: from } = row
  return {
    id,
    seq,
    at,
    events: (workspace) => [
      ...(row.incomplete === 1
        ? [{ event: 'checkpoint.warning', workspace, seq, at, checkpoint: from, run: id, code: 'incomplete' } as const]
        : []),
      {
        event: 'run.diff-summary',
        workspace,
        seq,
        at,
        run: id,
        agent,
        title,
        state,
        exitCode: row.exit_code,
        from,
        to: row.end_checkpoint ?? '',
        files,
        added,
        deleted
      }
    ]
  }
}

/**
 * A restore ends at its last edit; what wrote none ends at its guard. One that was interrupted ends when it is recovered:
 * followers get its event then, at this position. A refused one wrote nothing and has no event.
 */
function endOfRestore(store: Store, id: string): End | null {
  const row = findRestore(store, id)
  if (!row || row.state === 'applying' || row.state === 'interrupted') return null
  const last = lastEditOfRestore(store, row.finishes ?? id)
  const seq = last?.seq ?? findCheckpoint(store, row.guard)?.seq ?? 0
  const at = last?.at ?? row.at
  return { id, seq, at, events: (workspace) => restoreEvents(store, row, { workspace, seq, at }) }
}

function restoreEvents(
  store: Store,
  row: RestoreRow,
  envelope: { readonly workspace: string; readonly seq: Seq; readonly at: number }
): NamedEvent[] {
  const { id: restore, act, state, target, guard, mode, to_seq: toSeq } = row
  if (state === 'applying' || state === 'interrupted' || state === 'refused') return []
  const files = countRestoredFiles(store, restore)
  const finished = { event: 'restore.finished', ...envelope, restore, act, state, target, guard, mode, files } as const
  if (act !== 'restore' || state === 'failed') return [finished]
  const n = checkpointUpTo(store, target)
  const checkpoint = n === null ? null : findCheckpointByNumber(store, n)
  const session = findRestoreConversation(store, restore)?.session ?? null
  return [{ event: 'checkpoint.restored', ...envelope, restore, checkpoint, target, toSeq, mode, session }, finished]
}
