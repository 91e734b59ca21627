/** Checkpoints: named positions in the log. A checkpoint copies no files, so it is one row whatever the size of the project. */
import type { Checkpoint, CheckpointReason, CheckpointStatus } from '../../../contract/checkpoint.ts'
import { prepareCached } from '../db/transaction.ts'
import { describeCheckout } from '../git/git-head.ts'
import { newId } from '../ports/ids.ts'
import { encodeSessionHead } from '../runs/conversation.ts'
import { findSession } from '../runs/sessions.ts'
import { addEntry, nextOrdinal } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'

export interface CheckpointRow {
  readonly id: string
  readonly n: number
  readonly seq: number
  readonly reason: CheckpointReason
  readonly status: CheckpointStatus
  readonly why: string
  readonly label: string
  readonly at: number
  readonly run: string | null
  readonly turn: string | null
  readonly session: string | null
  readonly revision: number | null
  /** JSON: SessionHead. */
  readonly head: string | null
  /** What git had checked out; '' = no repository, or unknown. */
  readonly git: string
}

export interface NewCheckpoint {
  readonly reason: CheckpointReason
  readonly label?: string
  readonly run?: string | null
  readonly turn?: string | null
  readonly session?: string | null
}

/** [CK-1] Adds a checkpoint at the newest position. Call inside a transaction, after a scan (CK-2). */
export function addCheckpoint(
  { store, root }: Pick<Recorder, 'store' | 'root'>,
  checkpoint: NewCheckpoint,
  at: number
): { id: string; seq: number } {
  const id = newId('cp')
  const session = checkpoint.session ? findSession(store, checkpoint.session) : null
  const seq = store.records.lastSeq()
  prepareCached(
    store.db,
    'INSERT INTO checkpoint(id, n, seq, reason, label, at, run, turn, session, revision, head, git) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  ).run(
    id,
    nextOrdinal(store, 'checkpoint'),
    seq,
    checkpoint.reason,
    checkpoint.label ?? '',
    at,
    checkpoint.run ?? null,
    checkpoint.turn ?? null,
    checkpoint.session ?? null,
    session?.revision ?? null,
    session ? encodeSessionHead(session) : null,
    describeCheckout(root)
  )
  if (checkpoint.reason === 'manual') addEntry(store, 'checkpoint', id)
  return { id, seq }
}

export function findCheckpoint(store: Store, id: string): CheckpointRow | null {
  return (prepareCached(store.db, 'SELECT * FROM checkpoint WHERE id = ?').get(id) as CheckpointRow | undefined) ?? null
}

/** Newest first. Without `all`, only checkpoints that can be restored. */
export function listCheckpoints(store: Store, filter: { run?: string; session?: string; all?: boolean }): Checkpoint[] {
  const where: string[] = []
  const values: string[] = []
  if (filter.run !== undefined) {
    where.push('run = ?')
    values.push(filter.run)
  }
  if (filter.session !== undefined) {
    where.push('session = ?')
    values.push(filter.session)
  }
  if (!filter.all) where.push("status IN ('available', 'restored')")
  const rows = store.db
    .prepare(`SELECT * FROM checkpoint ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY n DESC`)
    .all(...values) as CheckpointRow[]
  return rows.map((row) => toCheckpoint(store, row))
}

export function toCheckpoint(store: Store, row: CheckpointRow): Checkpoint {
  const { n, head: _, git: __, ...rest } = row
  // Seqs of checkpoints never decrease, so the previous one has the greatest seq below.
  const before = prepareCached(store.db, 'SELECT seq FROM checkpoint WHERE n < ? ORDER BY n DESC LIMIT 1').get(n)
  const files = prepareCached(
    store.db,
    'SELECT count(DISTINCT path) AS files FROM edit WHERE seq > ? AND seq <= ?'
  ).get((before as { seq: number } | undefined)?.seq ?? 0, row.seq) as { files: number }
  return { ...rest, restorable: row.status === 'available' || row.status === 'restored', files: files.files }
}

/**
 * After a restore to `to_seq`, later automatic checkpoints are marked as restored past: they are not part of the current history
 * any more. Guards and pins are never marked. Call inside a transaction.
 */
export function markRestored(
  store: Store,
  { id, to_seq, guard }: { readonly id: string; readonly to_seq: number | null; readonly guard: string }
): void {
  if (to_seq === null) return
  prepareCached(
    store.db,
    `UPDATE checkpoint SET status = 'restored', why = ? WHERE seq > ? AND status = 'available'
       AND reason NOT IN ('manual', 'pre_restore_guard') AND n < (SELECT n FROM checkpoint WHERE id = ?)`
  ).run(leftBehindBy(id), to_seq, guard)
}

/** After a restore was undone, the checkpoints that it marked are available again. Call inside a transaction. */
export function unmarkRestored(store: Store, restore: string): void {
  prepareCached(
    store.db,
    "UPDATE checkpoint SET status = 'available', why = '' WHERE status = 'restored' AND why = ?"
  ).run(leftBehindBy(restore))
}

/** Value of the column `why`, by which the marked checkpoints of a restore are found again: never change it. */
function leftBehindBy(restore: string): string {
  return `left behind by the restore ${restore}`
}
