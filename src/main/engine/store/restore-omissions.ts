/**
 * Owns table `restore_without`: the hunks of earlier edits that the merge of a restore omits from then on. Rows never
 * change.
 */
import type { Store } from './open-store.ts'
import { all, exists, run, type Writable } from './sql.ts'

export interface Omission {
  /** The edit, and which of its hunks, counted from 0. */
  readonly seq: number
  readonly hunk: number
  /** All hunks of the edit are omitted. */
  readonly whole: boolean
}

export function insertOmissions(
  tx: Writable<Store>,
  restore: string,
  path: string,
  omissions: readonly Omission[]
): void {
  for (const { seq, hunk, whole } of omissions)
    run(tx, 'INSERT INTO restore_without VALUES (?, ?, ?, ?, ?)', restore, path, seq, hunk, whole ? 1 : 0)
}

/** What the merge of a path omits; empty when the restore wrote the path without a merge. */
export function omissionsOf(store: Store, restore: string, path: string): Omission[] {
  const sql = 'SELECT seq, hunk, whole FROM restore_without WHERE restore = ? AND path = ?'
  return all<{ seq: number; hunk: number; whole: 0 | 1 }>(store, sql, restore, path).map((row) => ({
    ...row,
    whole: row.whole === 1
  }))
}

/** Whether the restore merges this path. */
export function isMerged(store: Store, restore: string, path: string): boolean {
  return exists(store, 'SELECT 1 FROM restore_without WHERE restore = ? AND path = ?', restore, path)
}
