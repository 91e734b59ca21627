/** Owns table `meta`: single values of the workspace. `rev` counts the commits that clients may have to show (LG-1). */
import { count, get, type Readable, run, scalar, type Writable } from './sql.ts'

/** Adds one to `rev`. Events carry it, and other processes detect writes by it. */
export function bumpRev(tx: Writable<Readable>): number {
  return get<{ value: number }>(tx, "UPDATE meta SET value = value + 1 WHERE key = 'rev' RETURNING value")?.value ?? 0
}

export function readRev(store: Readable): number {
  return count(store, "SELECT value FROM meta WHERE key = 'rev'")
}

/** Null if it is not set. */
export function readMeta(store: Readable, key: string): string | null {
  const value = scalar<string | number>(store, 'SELECT value FROM meta WHERE key = ?', key)
  return value === null ? null : String(value)
}

/** A list of paths, JSON; empty if it is not set. */
export function readPathList(store: Readable, key: string): string[] {
  return JSON.parse(readMeta(store, key) ?? '[]') as string[]
}

export function writeMeta(tx: Writable<Readable>, key: string, value: string): void {
  run(tx, 'INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value', key, value)
}

export function deleteMeta(tx: Writable<Readable>, key: string): void {
  run(tx, 'DELETE FROM meta WHERE key = ?', key)
}

/** Key of a review of a bundle: the paths of which a version is masked, JSON. What is shown is not what was written. */
export const MASKED_PATHS = 'bundle.masked'

/** Key of a history: the paths of `.git` in the folder and below it that scans and the watch found, JSON. */
export const FOUND_REPOSITORIES = 'repositories'
