/**
 * Owns table `line_count`, a cache: added and deleted lines between two versions. Versions never change, so rows stay
 * valid.
 */
import type { ContentKind } from '../../../contract/diff.ts'
import type { Store } from './open-store.ts'
import { get, run, type Writable } from './sql.ts'
import type { VersionId } from './versions.ts'

export interface LineCountRow {
  readonly added: number
  readonly deleted: number
  readonly hunks: number
  readonly kind: ContentKind
}

export function findLineCount(store: Store, before: VersionId, after: VersionId): LineCountRow | null {
  const sql = 'SELECT added, deleted, hunks, kind FROM line_count WHERE before = ? AND after = ?'
  return get(store, sql, before, after)
}

/** Another process may have counted the same pair. */
export function insertLineCount(tx: Writable<Store>, before: VersionId, after: VersionId, row: LineCountRow): void {
  const sql = 'INSERT OR IGNORE INTO line_count VALUES (?, ?, ?, ?, ?, ?)'
  run(tx, sql, before, after, row.added, row.deleted, row.hunks, row.kind)
}
