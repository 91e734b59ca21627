/**
 * Numbered, forward-only migrations; `PRAGMA user_version` holds the number of the last one that ran. They run in one
 * transaction, so a file is in the old format or in the new one (B18). A file of a newer format is never written.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { type Db, userVersion } from './open.ts'
import { write } from './transaction.ts'

/** SQL of each version, oldest first: the first entry makes version 1. Never edit one that has shipped. */
export type Migrations = readonly string[]

/** Brings a database to the newest version. Throws StoreNewer if it is beyond that. */
export function migrate(db: Db, migrations: Migrations): void {
  const version = userVersion(db)
  if (version > migrations.length) throw storeNewer(db.name, version, migrations.length)
  if (version === migrations.length) return
  write(db, () => {
    // Read again inside the transaction: two processes may open a new store at once.
    for (let next = userVersion(db); next < migrations.length; next++) db.exec(migrations[next] as string)
    db.pragma(`user_version = ${migrations.length}`)
  })
}

/** Makes an opened database usable: migrates it, or only checks its format. */
export type PrepareSchema = (db: Db, migrations: Migrations) => void

/** For hooks. They never migrate: that may take longer than their deadline. The host or a command does it. */
export const requireCurrentSchema: PrepareSchema = (db, migrations) => {
  const version = userVersion(db)
  if (version > migrations.length) throw storeNewer(db.name, version, migrations.length)
  if (version < migrations.length)
    throw new Error(`${db.name} has format ${version}, but this process only reads format ${migrations.length}`)
}

function storeNewer(file: string, found: number, known: number): DriftlineError {
  return new DriftlineError(
    'StoreNewer',
    `This history was written by a newer version of Driftline (format ${found}; this version reads up to ${known}). It was not changed. Update Driftline to continue recording.`,
    { file, found, known }
  )
}
