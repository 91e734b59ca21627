/**
 * Opens SQLite databases with Driftline's settings, and translates SQLite's errors. Only this file and host-lock.ts
 * import better-sqlite3.
 *
 * WAL lets readers and one writer work at the same time. `synchronous = FULL` syncs the log at every commit: a
 * committed edit or restore journal survives a power failure (RS-3), which WAL with NORMAL does not promise.
 */
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode } from '../files/fs-errors.ts'

export type Db = Database.Database
export type Statement = Database.Statement<unknown[]>

/**
 * How long a write waits for a transaction of another process, ms. The longest wait measured with 204 writers is 340
 * ms.
 */
const BUSY_MS = 15_000

/** Bytes of a page. Small ones suit a history of few rows: each table and index takes at least one page. */
export type PageSize = 8192 | 2048
export const USUAL_PAGE_SIZE: PageSize = 8192

/** Opens or creates a database. Throws StoreDamaged if the file is not one. */
export function openDatabase(file: string, pageSize = USUAL_PAGE_SIZE): Db {
  let db: Db | undefined
  try {
    db = new Database(file, { timeout: BUSY_MS })
    // Only a new file gets the settings that are stored in it: a file of a newer format must be refused unchanged.
    // This order matters: page size and vacuum mode are fixed by the first write, and setting WAL writes.
    if (userVersion(db) === 0)
      db.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`)
    // FAST overwrites deleted content with zeros where that causes no extra I/O, so that deleted conversations leave
    // the file. A schema that another program prepared may call no function with effects. 4000 pages of 8 KiB: the log is copied to the database every 32 MB.
    // 8 MB of pages: the end of a run that changes 1,000 files is one transaction, which else writes pages several times.
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -8000; PRAGMA secure_delete = FAST; PRAGMA trusted_schema = OFF'
    )
    // For checksums in SQL (text-sum.ts).
    db.function('crc32', { deterministic: true }, (bytes: unknown) => crc32(bytes as Uint8Array))
    return db
  } catch (error) {
    db?.close()
    throw toDriftlineError(error, file)
  }
}

/** How long a look into a closed database waits for another program that holds it, ms. */
const SHORT_MS = 300

/**
 * Opens an existing database of any format; no database is created or migrated. Throws SQLite's errors, closed then.
 * Closing one that was opened to read does not copy the log to the database, which takes time and, on a full disk, the
 * reserve.
 */
export function openAsItIs(file: string, use: 'to-read' | 'to-write'): Db {
  const db = new Database(file, { timeout: SHORT_MS, fileMustExist: true, readonly: use === 'to-read' })
  try {
    db.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * From then on SQLite keeps in memory what it would write to temporary files: temporary tables, what it sorts, and the former pages
 * of each statement that may fail halfway. Those pages hold text of the history, and in an initial snapshot they are six times
 * what is written otherwise. To be called after a migration, which sorts whole tables, and before the first temporary table or trigger:
 * setting it deletes them.
 */
export function keepTemporaryInMemory(db: Db): void {
  db.pragma('temp_store = MEMORY')
}

/**
 * For a process whose transactions change some 20 MB of pages, most of them of indexes. Pages that are more than the cache holds are
 * written before the commit, and once more if they change again.
 */
export function holdLargeTransactions(db: Db): void {
  db.pragma('cache_size = -32000')
}

/** Format number of the file; 0 if it is new. */
export function userVersion(db: Db): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Of git.db, what it has of git alone is lost: the history of files is in another file. */
function damagedText(file: string, detail: string): string {
  if (basename(file) === 'git.db')
    return `The kept copies of git's state are damaged (${detail}): ${file}. The repository itself, your files and their history are not affected, and nothing was written. To keep git's state anew, move the folder of that file away while no recorder runs; what git lost before cannot be restored then.`
  return `The history file is damaged (${detail}). Your project was not changed. Run "driftline doctor", or move the file away and run "driftline add --yes" in the folder to start a new history.`
}

/** Turns SQLite errors that a person can act on into typed errors; returns any other error as it is. */
export function toDriftlineError(error: unknown, file: string): unknown {
  const code = errorCode(error)
  if (!(error instanceof Error) || !code.startsWith('SQLITE_')) return error
  if (['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'].includes(code)) {
    return new DriftlineError(
      'DiskFull',
      'The disk that holds the history is full, so recording has stopped. What was recorded is safe. Free some space; recording then resumes by itself.',
      { file }
    )
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new DriftlineError('StoreDamaged', damagedText(file, error.message), { file })
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new DriftlineError(
      'Refused',
      `Another program has the history locked for longer than Driftline waits. What was recorded is safe. Close the program that has ${file} open, then try again.`,
      { file, sqlite: code }
    )
  }
  const reason = ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].some((start) => code.startsWith(start))
    ? 'no write permission, or a read-only disk'
    : code.startsWith('SQLITE_IOERR')
      ? 'the disk reported an error'
      : null
  if (reason === null) return error
  return new DriftlineError(
    'Refused',
    `The history cannot be written (${reason}), so nothing was recorded or restored. Your project was not changed. Check ${dirname(file)}.`,
    { file, sqlite: code }
  )
}
