/**
 * Owns table `restore_without`: the hunks of earlier edits, or parts of them, that the merge of a restore omits from
 * then on. Rows never change.
 */
import type { Store } from './open-store.ts'
import { all, column, run, type Writable } from './sql.ts'

export interface Omission {
  /** The edit, and which of its hunks, counted from 0. */
  readonly seq: number
  readonly hunk: number
  /** Only these of its changed lines, [from, to); absent: all. */
  readonly lines?: readonly (readonly [number, number])[]
  /** All hunks of the edit are omitted. */
  readonly whole: boolean
}

interface OmissionRow {
  readonly seq: number
  readonly hunk: number
  readonly whole: 0 | 1
  readonly lines: string | null
}

export function insertOmissions(
  tx: Writable<Store>,
  restore: string,
  path: string,
  omissions: readonly Omission[]
): void {
  const sql = 'INSERT INTO restore_without VALUES (?, ?, ?, ?, ?, ?)'
  for (const { seq, hunk, whole, lines } of omissions)
    run(tx, sql, restore, path, seq, hunk, whole ? 1 : 0, lines ? JSON.stringify(lines) : null)
}

/** What the merge of a path omits; empty when the restore wrote the path without a merge. */
export function omissionsOf(store: Store, restore: string, path: string): Omission[] {
  const sql = 'SELECT seq, hunk, whole, lines FROM restore_without WHERE restore = ? AND path = ?'
  return all<OmissionRow>(store, sql, restore, path).map(({ seq, hunk, whole, lines }) => ({
    seq,
    hunk,
    whole: whole === 1,
    ...(lines === null ? {} : { lines: JSON.parse(lines) as [number, number][] })
  }))
}

/** The paths that the restore merges. */
export function mergedPaths(store: Store, restore: string): ReadonlySet<string> {
  return new Set(column<string>(store, 'SELECT DISTINCT path FROM restore_without WHERE restore = ?', restore))
}
