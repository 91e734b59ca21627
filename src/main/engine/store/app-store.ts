/**
 * Owns app.db, which holds what is known beyond single workspaces: recorded folders, settings, and facts about agents.
 * Comments of its schema: see store-schema.ts.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { RebuiltList } from '../../../contract/workspace.ts'
import type { Db } from './database.ts'
import { completeFirstFormat } from './first-format.ts'
import { type Migrations, openMigrated } from './migrate.ts'
import { all, exists, get, run, scalar, tuples, type Writable } from './sql.ts'
import { WORKTREE_TABLE } from './worktree-table.ts'

const FORMAT_1 = `
CREATE TABLE workspace(
  id TEXT PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  added_at INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- When the last hook event of each agent arrived.
CREATE TABLE agent(id TEXT PRIMARY KEY, last_event_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- The newest test event that arrived through each agent's hook command; nonce tells which test sent it.
CREATE TABLE agent_test(agent TEXT PRIMARY KEY, nonce TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

export const APP_MIGRATIONS: Migrations = [
  FORMAT_1,
  (db, isNew) => {
    if (!isNew) completeFirstFormat(db, FORMAT_1)
    db.exec(`
-- Folders that are no longer recorded, but whose history is kept: adding the folder again continues it.
CREATE TABLE left_folder(id TEXT PRIMARY KEY, root TEXT NOT NULL, left_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`)
  },
  `
-- Agents' settings files and folders that connecting created. Only these may be deleted when the agent is disconnected.
CREATE TABLE made(path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`,
  `
-- What each history held at least, at that time: a store.db that is missing, empty or holds less was lost.
CREATE TABLE history(workspace TEXT PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
-- rev      grows with each change of folders, and of settings that their histories hold a copy of (folder-card.ts)
-- rebuilt  the notice that the list of folders was made again, as JSON; no row once a person confirmed it
CREATE TABLE list(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
  WORKTREE_TABLE,
  `
-- The stats of the history of a removed folder or worktree when its card was read last (folder-list.ts).
CREATE TABLE card_stamp(workspace TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
]

export interface AppStore {
  readonly db: Db
  close(): void
}

/** Throws StoreNewer and StoreDamaged; the connection is closed then. */
export function openAppStore(file: string): AppStore {
  try {
    const db = openMigrated(file, APP_MIGRATIONS)
    return { db, close: () => db.close() }
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code !== 'StoreDamaged') throw error
    const message = `The list of recorded folders, ${file}, is damaged. The histories and your projects were not changed. Move this file away: at its next start, Driftline makes the list again from the histories.`
    throw new DriftlineError('StoreDamaged', message, { file })
  }
}

// ---- table `setting`. The key of a setting of one workspace ends with `/` and the workspace's id.

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

/** Replaces all settings whose keys `isOurs` accepts. */
export function replaceSettings(
  tx: Writable<AppStore>,
  isOurs: (key: string) => boolean,
  values: Readonly<Record<string, string>>
): void {
  for (const key of Object.keys(readSettings(tx)).filter(isOurs)) run(tx, 'DELETE FROM setting WHERE key = ?', key)
  for (const [key, value] of Object.entries(values)) writeSetting(tx, key, value)
}

export function deleteSettingsOf(tx: Writable<AppStore>, workspace: string): void {
  run(tx, "DELETE FROM setting WHERE key LIKE '%/' || ?", workspace)
}

// ---- table `made`: agents' settings files and folders that connecting created, by absolute path.

export function isCreatedFile(store: AppStore, path: string): boolean {
  return exists(store, 'SELECT 1 FROM made WHERE path = ?', path)
}

export function insertCreatedFile(tx: Writable<AppStore>, path: string): void {
  run(tx, 'INSERT OR IGNORE INTO made VALUES (?)', path)
}

export function deleteCreatedFile(tx: Writable<AppStore>, path: string): void {
  run(tx, 'DELETE FROM made WHERE path = ?', path)
}

// ---- tables `agent` and `agent_test`: when each agent's last hook event and newest test event arrived, ms UTC.

export function lastAgentEvent(store: AppStore, agent: string): number | null {
  return scalar(store, 'SELECT last_event_at FROM agent WHERE id = ?', agent)
}

export function lastAgentEvents(store: AppStore): Record<string, number> {
  const rows = all<{ id: string; at: number }>(store, 'SELECT id, last_event_at AS at FROM agent')
  return Object.fromEntries(rows.map(({ id, at }) => [id, at]))
}

export function writeLastAgentEvent(tx: Writable<AppStore>, agent: string, at: number): void {
  const sql = 'INSERT INTO agent VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET last_event_at = excluded.last_event_at'
  run(tx, sql, agent, at)
}

/** `nonce` tells which test sent the event; null if that event has not arrived, or was replaced by a newer one. */
export function agentTestAt(store: AppStore, agent: string, nonce: string): number | null {
  return scalar(store, 'SELECT at FROM agent_test WHERE agent = ? AND nonce = ?', agent, nonce)
}

export function writeAgentTest(tx: Writable<AppStore>, agent: string, nonce: string, at: number): void {
  run(tx, 'INSERT OR REPLACE INTO agent_test VALUES (?, ?, ?)', agent, nonce, at)
}

// ---- tables `workspace` and `left_folder`: which folders are recorded, and which were removed without their history.

export interface FolderRow {
  readonly id: string
  /** Absolute path; unique among recorded folders. */
  readonly root: string
  readonly addedAt: number
}

/** `removedAt`: ms UTC. */
export type RemovedFolderRow = Pick<FolderRow, 'id' | 'root'> & { readonly removedAt: number }

const FOLDER = 'SELECT id, root, added_at AS addedAt FROM workspace'

/** Those whose worktree was removed with its history kept are not among them. Newest first. */
export function presentFolders(store: AppStore): FolderRow[] {
  const removed = 'SELECT id FROM worktree WHERE removed_at IS NOT NULL'
  return all(store, `${FOLDER} WHERE id NOT IN (${removed}) ORDER BY added_at DESC`)
}

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
  return all(store, 'SELECT id, root, left_at AS removedAt FROM left_folder ORDER BY left_at DESC')
}

export function insertRemovedFolder(tx: Writable<AppStore>, { id, root, removedAt }: RemovedFolderRow): void {
  run(tx, 'INSERT OR IGNORE INTO left_folder VALUES (?, ?, ?)', id, root, removedAt)
}

export function deleteRemovedFolder(tx: Writable<AppStore>, id: string): void {
  run(tx, 'DELETE FROM left_folder WHERE id = ?', id)
}

// ---- table `history`: what each history held at least. Rows stay when a folder is removed without its history.

export interface HistoryNote {
  /** Its last edit. */
  readonly seq: number
  /** Milliseconds UTC. */
  readonly at: number
}

export function readHistoryNote(store: AppStore, workspace: string): HistoryNote | null {
  return get(store, 'SELECT seq, at FROM history WHERE workspace = ?', workspace)
}

export function writeHistoryNote(tx: Writable<AppStore>, workspace: string, { seq, at }: HistoryNote): void {
  run(tx, 'INSERT OR REPLACE INTO history VALUES (?, ?, ?)', workspace, seq, at)
}

export function deleteHistoryNote(tx: Writable<AppStore>, workspace: string): void {
  run(tx, 'DELETE FROM history WHERE workspace = ?', workspace)
}

// ---- table `card_stamp`

/** Of the histories that are kept without a folder: by id, the stamp that was written last, or null. */
export function stampsAtRest(store: AppStore): ReadonlyMap<string, string | null> {
  const sql = `SELECT id, (SELECT stamp FROM card_stamp WHERE workspace = id) FROM
    (SELECT id FROM left_folder UNION SELECT id FROM worktree WHERE removed_at IS NOT NULL)`
  return new Map(tuples<[string, string | null]>(store, sql))
}

/** By id. */
export function writeStamps(tx: Writable<AppStore>, stamps: ReadonlyMap<string, string>): void {
  for (const [id, stamp] of stamps) run(tx, 'INSERT OR REPLACE INTO card_stamp VALUES (?, ?)', id, stamp)
}

export function deleteStamp(tx: Writable<AppStore>, workspace: string): void {
  run(tx, 'DELETE FROM card_stamp WHERE workspace = ?', workspace)
}

// ---- table `list`: the list of folders as a whole.

/** The number of the last change of the list. */
export function readListRev(store: AppStore): number {
  return Number(scalar(store, "SELECT value FROM list WHERE key = 'rev'") ?? 0)
}

export function writeListRev(tx: Writable<AppStore>, rev: number): void {
  run(tx, "INSERT OR REPLACE INTO list VALUES ('rev', ?)", String(rev))
}

export function bumpListRev(tx: Writable<AppStore>): void {
  writeListRev(tx, readListRev(tx) + 1)
}

/** The notice that the list was made again; null once a person confirmed it. */
export function readRebuiltList(store: AppStore): RebuiltList | null {
  const text = scalar<string>(store, "SELECT value FROM list WHERE key = 'rebuilt'")
  return text === null ? null : (JSON.parse(text) as RebuiltList)
}

export function writeRebuiltList(tx: Writable<AppStore>, notice: RebuiltList): void {
  run(tx, "INSERT OR REPLACE INTO list VALUES ('rebuilt', ?)", JSON.stringify(notice))
}

export function deleteRebuiltList(tx: Writable<AppStore>): void {
  run(tx, "DELETE FROM list WHERE key = 'rebuilt'")
}
