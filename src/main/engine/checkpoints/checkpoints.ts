/**
 * Checkpoints: named positions in the log. A checkpoint copies no files, so it is one row whatever the size of the
 * project.
 */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { describeCheckout } from '../git/git-head.ts'
import {
  type CheckpointRow,
  countFilesSincePrevious,
  insertCheckpoint,
  listCheckpointRows,
  markBrokenBetween,
  markRestoredPast,
  unmarkRestoredPast
} from '../store/checkpoints.ts'
import { spansOfContent } from '../store/edits.ts'
import { newId } from '../store/ids.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { encodeSessionHead } from '../store/session-head.ts'
import { findSession } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'

type NewCheckpoint = Pick<CheckpointRow, 'reason'> & Partial<Pick<CheckpointRow, 'label' | 'run' | 'turn' | 'session'>>

/** [CK-1] Adds a checkpoint at the newest position, after a scan (CK-2). */
export function addCheckpoint(
  tx: Writable<Store>,
  root: string,
  checkpoint: NewCheckpoint,
  at: number
): { id: string; seq: number } {
  const id = newId('cp')
  const session = checkpoint.session ? findSession(tx, checkpoint.session) : null
  const seq = tx.records.lastSeq()
  insertCheckpoint(tx, {
    label: '',
    run: null,
    turn: null,
    session: null,
    ...checkpoint,
    id,
    seq,
    at,
    revision: session?.revision ?? null,
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
  const { n: _, head: __, git: ___, ...rest } = row
  return {
    ...rest,
    restorable: row.status === 'available' || row.status === 'restored',
    files: countFilesSincePrevious(store, row)
  }
}

/**
 * After a restore to `to_seq`, later automatic checkpoints are marked as restored past: they are not part of the
 * current history any more. Guards and pins are never marked.
 */
export function markRestored(
  tx: Writable<Store>,
  { id, to_seq, guard }: { readonly id: string; readonly to_seq: number | null; readonly guard: string }
): void {
  if (to_seq !== null) markRestoredPast(tx, to_seq, guard, leftBehindBy(id))
}

/** After a restore was undone, the checkpoints that it marked are available again. */
export function unmarkRestored(tx: Writable<Store>, restore: string): void {
  unmarkRestoredPast(tx, leftBehindBy(restore))
}

/** Value of the column `why`, by which the marked checkpoints of a restore are found again: never change it. */
function leftBehindBy(restore: string): string {
  return `left behind by the restore ${restore}`
}

/**
 * Marks every checkpoint at whose position a path had one of these damaged contents as broken: it cannot be restored
 * any more. Returns whether any checkpoint was marked.
 */
export function markBroken(store: Store, contents: readonly number[]): boolean {
  if (contents.length === 0) return false
  return transact(store, (tx) => {
    let marked = 0
    for (const content of contents) {
      for (const { name, since, upto } of spansOfContent(tx, content))
        marked += markBrokenBetween(tx, since, upto, `the stored content of ${name} is damaged`)
    }
    if (marked > 0) bumpRev(tx)
    return marked > 0
  })
}
