/**
 * Owns table `taken_event`: ids of the hook events that were ingested. One that arrives again from the spool changes
 * nothing (GW-1).
 */
import type { Store } from './open-store.ts'
import { run as execute, exists, type Writable } from './sql.ts'

export function insertIngestedEvent(tx: Writable<Store>, id: string, at: number): void {
  execute(tx, 'INSERT OR IGNORE INTO taken_event VALUES (?, ?)', id, at)
}

export function deleteIngestedEvents(tx: Writable<Store>, before: number): void {
  execute(tx, 'DELETE FROM taken_event WHERE at < ?', before)
}

export function wasIngested(store: Store, id: string): boolean {
  return exists(store, 'SELECT 1 FROM taken_event WHERE id = ?', id)
}
