/** Owns table `made`: agents' settings files and folders that connecting created, by absolute path. */
import { exists, run, type Writable } from '../sql.ts'
import type { AppStore } from './open-app-store.ts'

export function isCreatedFile(store: AppStore, path: string): boolean {
  return exists(store, 'SELECT 1 FROM made WHERE path = ?', path)
}

export function insertCreatedFile(tx: Writable<AppStore>, path: string): void {
  run(tx, 'INSERT OR IGNORE INTO made VALUES (?)', path)
}

export function deleteCreatedFile(tx: Writable<AppStore>, path: string): void {
  run(tx, 'DELETE FROM made WHERE path = ?', path)
}
