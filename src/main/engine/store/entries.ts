/** Owns table `entry`, the order of the timeline across runs, pins, restores and drift, and the ordinals of those tables. */
import { prepareCached } from '../db/transaction.ts'
import type { Store } from './open-store.ts'

export type EntryKind = 'run' | 'checkpoint' | 'restore' | 'drift'

/** Appends an entry to the timeline. Call inside a transaction. */
export function addEntry(store: Store, kind: EntryKind, id: string): void {
  prepareCached(store.db, 'INSERT INTO entry(kind, id) VALUES (?, ?)').run(kind, id)
}

/** Next value of column `n`, which orders rows of one table made in the same millisecond. Call inside a transaction. */
export function nextOrdinal(store: Store, table: 'run' | 'checkpoint' | 'restore' | 'drift'): number {
  return (prepareCached(store.db, `SELECT coalesce(max(n), 0) + 1 AS n FROM ${table}`).get() as { n: number }).n
}
