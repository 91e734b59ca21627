/**
 * Owns git.db, which holds git's own state of one recorded folder: the small files of its `.git`, one version per change.
 * Apart from store.db, so that a run's files never include it. Its columns: docs/format.md.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from './database.ts'
import { sha256 } from './hash.ts'
import { checkIntegrity } from './maintenance.ts'
import { type Migrations, openMigrated } from './migrate.ts'
import { checkSchema } from './schema-check.ts'
import { all, exists, get, run, scalar, type Writable } from './sql.ts'

const GIT_MIGRATIONS: Migrations = [
  `
CREATE TABLE state(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, run TEXT) STRICT;
CREATE TABLE content(hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
-- A row for each state in which the file differs from the state before; without a hash the file is absent.
CREATE TABLE file(
  path TEXT NOT NULL,
  state INTEGER NOT NULL REFERENCES state(id),
  mode INTEGER NOT NULL,
  hash BLOB,
  PRIMARY KEY(path, state)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_by_state ON file(state);
-- The states at the start and the end of a run; no last one while it is live.
CREATE TABLE run(run TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER) STRICT, WITHOUT ROWID;
-- What was restored, as JSON, so that it can be undone.
CREATE TABLE restored(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, items TEXT NOT NULL, undone INTEGER NOT NULL) STRICT;
`,
  `
-- The state at a checkpoint. That of '' is the oldest whose files are all kept.
CREATE TABLE mark(checkpoint TEXT PRIMARY KEY, state INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
-- Every row is in an index as a whole, which integrity_check compares with it: a bit that flips in either is found.
DROP INDEX file_by_state;
CREATE INDEX file_row ON file(state, path, mode, hash);
CREATE INDEX state_row ON state(id, seq, at, run);
CREATE INDEX run_row ON run(run, first, last);
CREATE INDEX mark_row ON mark(checkpoint, state);
CREATE INDEX restored_row ON restored(id, at, items, undone);
`,
  `
-- The stats of the files when they were read last. A damaged one only costs a reading.
CREATE TABLE stamp(path TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
]

export interface GitStore {
  readonly db: Db
  close(): void
}

/** Throws StoreNewer and StoreDamaged; the connection is closed then. */
export function openGitStore(file: string): GitStore {
  const db = openMigrated(file, GIT_MIGRATIONS)
  return { db, close: () => db.close() }
}

/** SQLite's own checks of git.db, and of its definitions, as messages. `deep` compares rows with their indexes, too. */
export function checkGitStore(store: GitStore, deep: boolean): string[] {
  return [...checkSchema(store, GIT_MIGRATIONS), ...checkIntegrity(store, deep)]
}

/** All versions of files, by their content. */
export function gitVersions(store: GitStore): { path: string; state: number; hash: Uint8Array }[] {
  return all(store, 'SELECT path, state, hash FROM file WHERE hash IS NOT NULL ORDER BY hash, path, state')
}

/** Whether a version of a file has this content now. */
export function isGitContentNeeded(store: GitStore, hash: Uint8Array): boolean {
  return exists(store, 'SELECT 1 FROM file WHERE hash = ?', hash)
}

// ---- tables `state`, `file` and `content`

export interface GitStateRow {
  readonly id: number
  /** The last edit of the log then. */
  readonly seq: number
  /** ms UTC */
  readonly at: number
  /** The run that was live since the state before; null without one, or with several. */
  readonly run: string | null
}

export interface GitFileRow {
  readonly path: string
  readonly state: number
  readonly mode: number
  /** Null: absent from this state on. */
  readonly hash: Uint8Array | null
}

export function lastGitState(store: GitStore): GitStateRow | null {
  return get(store, 'SELECT id, seq, at, run FROM state ORDER BY id DESC LIMIT 1')
}

export function insertGitState(tx: Writable<GitStore>, { seq, at, run: live }: Omit<GitStateRow, 'id'>): number {
  return run(tx, 'INSERT INTO state(seq, at, run) VALUES (?, ?, ?)', seq, at, live).id
}

export function insertGitFile(tx: Writable<GitStore>, { path, state, mode, hash }: GitFileRow): void {
  run(tx, 'INSERT INTO file VALUES (?, ?, ?, ?)', path, state, mode, hash)
}

/** Stores the bytes once; returns their hash. */
export function putGitContent(tx: Writable<GitStore>, bytes: Uint8Array): Uint8Array {
  const hash = sha256(bytes)
  // Many refs have the same commit.
  if (!hasGitContent(tx, hash)) run(tx, 'INSERT INTO content VALUES (?, ?)', hash, zstdCompressSync(bytes))
  return hash
}

/** Throws StoreDamaged if the bytes are not those that were stored. */
export function readGitContent(store: GitStore, hash: Uint8Array): Buffer {
  const bytes = readWholeGitContent(store, hash)
  if (bytes) return bytes
  const message = `A kept file of git’s state is damaged in ${store.db.name}. It was not written. Restore other items by name, or choose another position; "driftline doctor" lists what is damaged.`
  throw new DriftlineError('StoreDamaged', message, { file: store.db.name })
}

/** Null if the bytes are not those that were stored. */
export function readWholeGitContent(store: GitStore, hash: Uint8Array): Buffer | null {
  const packed = scalar<Uint8Array>(store, 'SELECT bytes FROM content WHERE hash = ?', hash)
  const bytes = packed && unpack(packed)
  return bytes && sha256(bytes).equals(hash) ? bytes : null
}

function unpack(packed: Uint8Array): Buffer | null {
  try {
    return zstdDecompressSync(packed)
  } catch {
    // Damaged: the caller reports it.
    return null
  }
}

/** The files that exist in a state, sorted. */
export function gitFilesAt(store: GitStore, state: number): GitFileRow[] {
  const sql = `SELECT path, max(state) AS state, mode, hash FROM file WHERE state <= ? GROUP BY path ORDER BY path`
  return all<GitFileRow>(store, sql, state).filter(({ hash }) => hash !== null)
}

/** The newest version of one file, also of one that is absent; null if none was ever kept. */
export function newestGitFile(store: GitStore, path: string): GitFileRow | null {
  return get(store, 'SELECT path, state, mode, hash FROM file WHERE path = ? ORDER BY state DESC LIMIT 1', path)
}

/** The content that a file had last, whether or not it is there; null if none was ever kept. */
export function newestGitContent(store: GitStore, path: string): Uint8Array | null {
  return scalar(store, 'SELECT hash FROM file WHERE path = ? AND hash IS NOT NULL ORDER BY state DESC LIMIT 1', path)
}

/** The last state in which the file exists; null if none has it. */
export function lastStateWith(store: GitStore, path: string): number | null {
  const rows = all<{ state: number; hash: Uint8Array | null }>(
    store,
    'SELECT state, hash FROM file WHERE path = ? ORDER BY state DESC LIMIT 2',
    path
  )
  const [newest, former] = rows
  if (newest?.hash) return lastGitState(store)?.id ?? newest.state
  return newest && former?.hash ? newest.state - 1 : null
}

/** The newest state that was stored before `at` (ms UTC), if its files are kept. */
export function gitStateBefore(store: GitStore, at: number): number | null {
  const state = scalar<number>(store, 'SELECT max(id) FROM state WHERE at < ?', at)
  return state !== null && state >= (gitStateAt(store, '') ?? 0) ? state : null
}

/** Whether the content is stored. */
export function hasGitContent(store: GitStore, hash: Uint8Array): boolean {
  return scalar(store, 'SELECT 1 FROM content WHERE hash = ?', hash) !== null
}

/** Stored bytes, compressed. 0 if the content is not stored. */
export function packedGitSize(store: GitStore, hash: Uint8Array): number {
  return scalar<number>(store, 'SELECT length(bytes) FROM content WHERE hash = ?', hash) ?? 0
}

export function gitStates(store: GitStore): GitStateRow[] {
  return all(store, 'SELECT id, seq, at, run FROM state ORDER BY id')
}

/** Changes of one state. */
export function gitFilesOf(store: GitStore, state: number): GitFileRow[] {
  return all(store, 'SELECT path, state, mode, hash FROM file WHERE state = ? ORDER BY path', state)
}

/**
 * Deletes versions that were replaced before `at`, and states without files. The newest version of a file stays. Positions
 * and runs whose states are then incomplete are no longer known.
 */
export function deleteGitStatesBefore(tx: Writable<GitStore>, at: number): void {
  const cut = scalar<number>(tx, 'SELECT max(id) FROM state WHERE at < ?', at)
  if (cut === null) return
  run(tx, 'DELETE FROM mark WHERE state < ?', cut)
  run(tx, `INSERT INTO mark VALUES ('', ?) ON CONFLICT(checkpoint) DO UPDATE SET state = excluded.state`, cut)
  run(tx, 'UPDATE run SET first = ? WHERE first < ? AND last IS NULL', cut, cut)
  run(tx, 'DELETE FROM run WHERE first < ?', cut)
  const later =
    'SELECT 1 FROM file AS later WHERE later.path = file.path AND later.state > file.state AND later.state <= ?'
  run(tx, `DELETE FROM file WHERE state <= ? AND EXISTS (${later})`, cut, cut)
  run(tx, 'DELETE FROM file WHERE state <= ? AND hash IS NULL', cut)
  const used = 'SELECT 1 FROM file WHERE file.state = state.id'
  const bounds = 'SELECT 1 FROM run WHERE first = state.id OR last = state.id'
  run(tx, `DELETE FROM state WHERE id < ? AND NOT EXISTS (${used}) AND NOT EXISTS (${bounds})`, cut)
  run(tx, 'DELETE FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.hash = content.hash)')
}

// ---- table `stamp`

/** The stamps that the files had when they were read last, by path. */
export function gitStamps(store: GitStore): Map<string, string> {
  const rows = all<{ path: string; stamp: string }>(store, 'SELECT path, stamp FROM stamp')
  return new Map(rows.map(({ path, stamp }) => [path, stamp]))
}

export function setGitStamp(tx: Writable<GitStore>, path: string, stamp: string): void {
  run(tx, 'INSERT INTO stamp VALUES (?, ?) ON CONFLICT(path) DO UPDATE SET stamp = excluded.stamp', path, stamp)
}

export function deleteGitStamp(tx: Writable<GitStore>, path: string): void {
  run(tx, 'DELETE FROM stamp WHERE path = ?', path)
}

// ---- table `run`

export function gitStatesOfRun(store: GitStore, id: string): { first: number; last: number | null } | null {
  return get(store, 'SELECT first, last FROM run WHERE run = ?', id)
}

export function unendedGitRuns(store: GitStore): string[] {
  return all<{ run: string }>(store, 'SELECT run FROM run WHERE last IS NULL').map((row) => row.run)
}

export function beginGitRun(tx: Writable<GitStore>, id: string, state: number): void {
  run(tx, 'INSERT OR IGNORE INTO run VALUES (?, ?, NULL)', id, state)
}

export function endGitRun(tx: Writable<GitStore>, id: string, state: number): void {
  run(tx, 'UPDATE run SET last = ? WHERE run = ?', state, id)
}

// ---- table `mark`

export function gitStateAt(store: GitStore, checkpoint: string): number | null {
  return scalar(store, 'SELECT state FROM mark WHERE checkpoint = ?', checkpoint)
}

export function markGitState(tx: Writable<GitStore>, checkpoint: string, state: number): void {
  run(tx, 'INSERT OR IGNORE INTO mark VALUES (?, ?)', checkpoint, state)
}

// ---- table `restored`

export function insertGitRestore(tx: Writable<GitStore>, at: number, items: string): number {
  return run(tx, 'INSERT INTO restored(at, items, undone) VALUES (?, ?, 0)', at, items).id
}

/** What of it was written, once that is known; a restore that wrote nothing leaves no row. */
export function setGitRestoreItems(tx: Writable<GitStore>, id: number, items: string | null): void {
  if (items === null) run(tx, 'DELETE FROM restored WHERE id = ?', id)
  else run(tx, 'UPDATE restored SET items = ? WHERE id = ?', items, id)
}

/** The newest that was not undone. */
export function newestGitRestore(store: GitStore): { id: number; at: number; items: string } | null {
  return get(store, 'SELECT id, at, items FROM restored WHERE undone = 0 ORDER BY id DESC LIMIT 1')
}

export function markGitRestoreUndone(tx: Writable<GitStore>, id: number): void {
  run(tx, 'UPDATE restored SET undone = 1 WHERE id = ?', id)
}
