/** The timeline's order: one list over runs, pins, restores and drift. */
import { prepared } from '../db/transaction.ts'
import type { Store } from './open-store.ts'

export type EntryKind = 'run' | 'checkpoint' | 'restore' | 'drift'

/** Appends an entry. Call inside a transaction. */
export function addEntry(store: Store, kind: EntryKind, id: string): void {
  prepared(store.db, 'INSERT INTO entry(kind, id) VALUES (?, ?)').run(kind, id)
}

/** Next number of a table that keeps its own order. Call inside a transaction. */
export function nextN(store: Store, table: 'run' | 'checkpoint' | 'restore' | 'drift'): number {
  return (prepared(store.db, `SELECT coalesce(max(n), 0) + 1 AS n FROM ${table}`).get() as { n: number }).n
}
