/** Opens SQLite the one way we use it. The only importer of better-sqlite3 besides the host lock. */
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { DriftlineError } from '../../../contract/errors.ts'

export type Db = Database.Database
export type Statement = Database.Statement<unknown[]>

/** How long a write waits for another process's transaction, ms. Measured longest wait under 204 writers: 340 ms. */
const BUSY_MS = 15_000

/** Opens or creates a database with our settings. Throws StoreDamaged when the file is not a database. */
export function openDatabase(file: string, options: { readonly: boolean } = { readonly: false }): Db {
  let db: Db | undefined
  try {
    db = new Database(file, { readonly: options.readonly, timeout: BUSY_MS })
    // A file that is made stays as it is, whoever made it: a newer one must be refused without a byte changed.
    const fresh = !options.readonly && userVersion(db) === 0
    // Order matters: page size and vacuum mode are fixed by the first write, which setting WAL is.
    if (fresh) db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
    // What is written over is zeroed where that costs no writing of its own, so that words that were deleted are gone.
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = FAST'
    )
    return db
  } catch (error) {
    db?.close()
    throw translate(error, file)
  }
}

/** The number of the file's format; 0 = nothing is in it yet. */
export function userVersion(db: Db): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Turns SQLite's codes that people can act on into typed errors; anything else comes back as it is. */
export function translate(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (error.code === 'SQLITE_FULL' || ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'].includes(error.code)) {
    return new DriftlineError(
      'DiskFull',
      'The disk that holds the history is full, so nothing more can be recorded. What was recorded is safe. Free some space; recording goes on by itself.',
      { file }
    )
  }
  if (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')) {
    return new DriftlineError(
      'StoreDamaged',
      `The history file is damaged (${error.message}). The project itself was not touched. Run "driftline doctor", or move the file away to start a new history.`,
      { file }
    )
  }
  const why = ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].some((code) => error.code.startsWith(code))
    ? 'there is no permission to write it, or its disk is read-only'
    : error.code.startsWith('SQLITE_IOERR')
      ? 'its disk reported an error'
      : null
  if (why === null) return error
  return new DriftlineError(
    'Refused',
    `The history cannot be written (${why}), so nothing was recorded or restored. The project itself was not touched. Look at ${dirname(file)}.`,
    { file, sqlite: error.code }
  )
}
