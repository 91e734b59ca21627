/**
 * Checkpoints: named positions in the log. A checkpoint copies no files, so it is one row whatever the size of the
 * project.
 */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { describeCheckout } from '../git/git-head.ts'
import {
  type CheckpointRow,
  causeOf,
  checkpointUpTo,
  countFilesSincePrevious,
  insertCheckpoint,
  listCheckpointRows,
  markRestoredPast
} from '../store/checkpoints.ts'
import { newId } from '../store/ids.ts'
import { revisionNow } from '../store/late-steps.ts'
import type { Store } from '../store/open-store.ts'
import { findRestoreConversation } from '../store/restore-conversations.ts'
import type { RestoreRow } from '../store/restores.ts'
import { encodeSessionHead } from '../store/session-head.ts'
import { findSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'

type NewCheckpoint = Pick<CheckpointRow, 'reason'> &
  Partial<Pick<CheckpointRow, 'label' | 'run' | 'turn' | 'session' | 'seq'>>

/** [CK-1] Adds a checkpoint at the newest position, after a scan (CK-2), or at the earlier one `seq`. */
export function addCheckpoint(
  tx: Writable<Store>,
  root: string,
  checkpoint: NewCheckpoint,
  at: number
): { id: string; seq: number } {
  const id = newId('cp')
  const session = checkpoint.session ? findSession(tx, checkpoint.session) : null
  const seq = checkpoint.seq ?? tx.records.lastSeq()
  insertCheckpoint(tx, {
    label: '',
    run: null,
    turn: null,
    session: null,
    ...checkpoint,
    id,
    seq,
    at,
    revision: session ? revisionNow(session) : null,
    head: session ? encodeSessionHead(session) : null,
    git: describeCheckout(root)
  })
  if (checkpoint.reason === 'manual') addEntry(tx, 'checkpoint', id)
  return { id, seq }
}

/** Newest first. Without `all`, only checkpoints that can be restored. */
export function listCheckpoints(
  store: Store,
  filter: { run: string | undefined; session: string | undefined; all: boolean | undefined }
): Checkpoint[] {
  const { all, ...of } = filter
  return listCheckpointRows(store, { ...of, restorable: !all }).map((row) => toCheckpoint(store, row))
}

export function toCheckpoint(store: Store, row: CheckpointRow): Checkpoint {
  const { n: _, head: __, git: ___, why: ____, ...rest } = row
  return {
    ...rest,
    // Not known until its transcript is imported.
    revision: row.revision === null ? null : Math.max(0, row.revision),
    cause: causeOf(row),
    restorable: row.status === 'available' || row.status === 'restored',
    files: countFilesSincePrevious(store, row)
  }
}

/**
 * After a restore, the automatic checkpoints that were made after its target are marked: they are not part of the
 * current history any more. Those of its conversation only, if only that was restored. Guards and pins are never
 * marked.
 */
export function markRestored(tx: Writable<Store>, restore: RestoreRow): void {
  const { id, to_seq: seq, guard, target } = restore
  const moved = findRestoreConversation(tx, id)
  const conversation = { session: moved?.session ?? null, revision: moved?.to_revision ?? null }
  markRestoredPast(tx, { restore: id, guard, upTo: checkpointUpTo(tx, target), seq, ...conversation })
}
