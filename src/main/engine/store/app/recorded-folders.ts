/** Owns tables `workspace` and `left_folder`: which folders are recorded, and which were removed without their history. */
import { all, get, run, type Writable } from '../sql.ts'
import type { AppStore } from './open-app-store.ts'

export interface FolderRow {
  readonly id: string
  /** Absolute path; unique among recorded folders. */
  readonly root: string
  readonly addedAt: number
}

export type RemovedFolderRow = Pick<FolderRow, 'id' | 'root'>

const FOLDER = 'SELECT id, root, added_at AS addedAt FROM workspace'

/** Newest first. */
export function recordedFolders(store: AppStore): FolderRow[] {
  return all(store, `${FOLDER} ORDER BY added_at DESC`)
}

export function foldersWithIdPrefix(store: AppStore, prefix: string): FolderRow[] {
  return all(store, `${FOLDER} WHERE substr(id, 1, ?) = ?`, prefix.length, prefix)
}

export function findFolderAt(store: AppStore, root: string): FolderRow | null {
  return get(store, `${FOLDER} WHERE root = ?`, root)
}

export function insertFolder(tx: Writable<AppStore>, { id, root, addedAt }: FolderRow): void {
  run(tx, 'INSERT INTO workspace VALUES (?, ?, ?)', id, root, addedAt)
}

export function updateRoot(tx: Writable<AppStore>, id: string, root: string): void {
  run(tx, 'UPDATE workspace SET root = ? WHERE id = ?', root, id)
}

export function deleteFolder(tx: Writable<AppStore>, id: string): void {
  run(tx, 'DELETE FROM workspace WHERE id = ?', id)
}

/** Newest first. */
export function removedFolders(store: AppStore): RemovedFolderRow[] {
  return all(store, 'SELECT id, root FROM left_folder ORDER BY left_at DESC')
}

export function insertRemovedFolder(tx: Writable<AppStore>, { id, root }: RemovedFolderRow, at: number): void {
  run(tx, 'INSERT OR IGNORE INTO left_folder VALUES (?, ?, ?)', id, root, at)
}

export function deleteRemovedFolder(tx: Writable<AppStore>, id: string): void {
  run(tx, 'DELETE FROM left_folder WHERE id = ?', id)
}
