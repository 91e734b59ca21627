/** Owns table `setting`. The key of a setting of one workspace ends with `/` and the workspace's id. */
import { all, run, scalar, type Writable } from '../sql.ts'
import type { AppStore } from './open-app-store.ts'

export function readSetting(store: AppStore, key: string): string | null {
  return scalar(store, 'SELECT value FROM setting WHERE key = ?', key)
}

export function readSettings(store: AppStore): Record<string, string> {
  const rows = all<{ key: string; value: string }>(store, 'SELECT key, value FROM setting')
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export function writeSetting(tx: Writable<AppStore>, key: string, value: string): void {
  run(tx, 'INSERT INTO setting VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value', key, value)
}

export function deleteSettingsOf(tx: Writable<AppStore>, workspace: string): void {
  run(tx, "DELETE FROM setting WHERE key LIKE '%/' || ?", workspace)
}
