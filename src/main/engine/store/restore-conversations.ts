/** Owns table `restore_conversation`: how a restore moves a conversation. At most one row per restore. */
import type { Store } from './open-store.ts'
import { get, run, type Writable } from './sql.ts'

interface RestoreConversationRow {
  readonly restore: string
  readonly session: string
  readonly from_revision: number
  readonly to_revision: number
  /** JSON: SessionHead to set. */
  readonly head: string
  /** Number of messages that are undone. */
  readonly superseded: number
  /** Number of messages that are in force again. */
  readonly brought_back: number
  readonly state: 'planned' | 'done'
}

export function insertRestoreConversation(tx: Writable<Store>, row: Omit<RestoreConversationRow, 'state'>): void {
  const sql = "INSERT INTO restore_conversation VALUES (?, ?, ?, ?, ?, ?, ?, 'planned')"
  const { restore, session, from_revision, to_revision, head, superseded, brought_back } = row
  run(tx, sql, restore, session, from_revision, to_revision, head, superseded, brought_back)
}

export function findRestoreConversation(store: Store, restore: string): RestoreConversationRow | null {
  return get(store, 'SELECT * FROM restore_conversation WHERE restore = ?', restore)
}

/** The conversation was moved by `restore`, and so by the interrupted restore it finishes. */
export function markConversationMoved(tx: Writable<Store>, restore: string, finishes: string | null): void {
  run(tx, "UPDATE restore_conversation SET state = 'done' WHERE restore IN (?, ?)", restore, finishes ?? restore)
}
