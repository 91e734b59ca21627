/**
 * Numbered, forward-only migrations; `PRAGMA user_version` holds the number of the last one that ran. They run in one
 * transaction, so a file is in the old format or in the new one (B18). A file of a newer format is never written.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, linkSync, openSync, statSync, writeFileSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { ignoreFsErrors } from '../files/fs-errors.ts'
import { removeFile } from '../files/remove.ts'
import {
  type Db,
  keepTemporaryInMemory,
  openDatabase,
  type PageSize,
  USUAL_PAGE_SIZE,
  userVersion
} from './database.ts'
import { scalar, transact } from './sql.ts'

/**
 * SQL or code of each version, oldest first: the first entry makes version 1. Never edit one that has shipped. `isNew`: the
 * entries before it made the database just now.
 */
export type Migrations = readonly (string | ((db: Db, isNew: boolean) => void))[]

/** Brings a database to the newest version. Throws StoreNewer if it is beyond that. */
export function migrate(db: Db, migrations: Migrations): void {
  const version = userVersion(db)
  if (version > migrations.length) throw storeNewer(db.name, version, migrations.length)
  if (version === migrations.length) return
  // A table that others refer to can only be rebuilt without the check (sqlite.org/lang_altertable.html, 7). It cannot
  // be switched inside a transaction.
  db.pragma('foreign_keys = OFF')
  try {
    transact({ db }, () => {
      // Read again inside the transaction: two processes may open a new store at once.
      const from = userVersion(db)
      for (const migration of migrations.slice(from)) {
        if (typeof migration === 'string') db.exec(migration)
        else migration(db, from === 0)
      }
      db.pragma(`user_version = ${migrations.length}`)
    })
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

/**
 * Opens or creates a database in the current format, which only the user can read. When it is refused, the connection
 * is closed.
 */
export function openMigrated(file: string, migrations: Migrations, pageSize = USUAL_PAGE_SIZE): Db {
  makePrivate(file, () => emptyDatabase(migrations, pageSize))
  const db = openDatabase(file, pageSize)
  try {
    refuseForeignSchema(db)
    migrate(db, migrations)
    keepTemporaryInMemory(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * [PR-1] Before SQLite opens it, which gives the files of its log the mode of the database. What cannot be written is
 * reported by SQLite then.
 */
function makePrivate(file: string, empty: () => Buffer): void {
  ignoreFsErrors(() => {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats) create(file, empty())
    else if (stats.isFile() && (stats.mode & 0o077) !== 0) chmodSync(file, 0o600)
  })
}

/**
 * Whole or not at all: a reader, or a second process that creates it, too, finds a complete database. Where that is not possible
 * the file is empty, and SQLite fills it.
 */
function create(file: string, bytes: Buffer): void {
  const temporary = `${file}.new-${randomBytes(4).toString('hex')}`
  const isCreated = ignoreFsErrors(() => {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
    linkSync(temporary, file)
  })
  ignoreFsErrors(() => removeFile(temporary))
  if (!isCreated) closeSync(openSync(file, 'a', 0o600))
}

const EMPTY = new WeakMap<Migrations, Map<PageSize, Buffer>>()

/** Bytes of a new database in the current format. To migrate each one by itself costs ten times as much, and some waits for the disk. */
function emptyDatabase(migrations: Migrations, pageSize: PageSize): Buffer {
  const known = EMPTY.get(migrations)?.get(pageSize)
  if (known) return known
  const db = openDatabase(':memory:', pageSize)
  try {
    migrate(db, migrations)
    const bytes = db.serialize()
    // A database in memory cannot be in WAL mode: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
    bytes.fill(2, 18, 20)
    EMPTY.set(migrations, (EMPTY.get(migrations) ?? new Map<PageSize, Buffer>()).set(pageSize, bytes))
    return bytes
  } finally {
    db.close()
  }
}

/**
 * Driftline makes only tables and indexes. A trigger would change what it writes, and a view what it reads: such a file
 * was prepared by someone else.
 */
export function refuseForeignSchema(db: Db): void {
  const sql = `SELECT type || ' ' || name FROM sqlite_schema
    WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1`
  const found = scalar<string>({ db }, sql)
  if (found === null) return
  throw new DriftlineError(
    'StoreDamaged',
    `This history was changed by another program: it has the ${found}, which Driftline does not make. It was not read further and not changed. Move the file away and run "driftline add --yes" in the folder to start a new history.`,
    { file: db.name }
  )
}

function storeNewer(file: string, found: number, known: number): DriftlineError {
  return new DriftlineError(
    'StoreNewer',
    `This history was written by a newer version of Driftline (format ${found}; this version reads up to ${known}). It was not changed. Update Driftline to continue recording.`,
    { file, found, known }
  )
}
