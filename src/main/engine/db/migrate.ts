/** Numbered, forward-only migrations, each in one transaction. A file from a newer version is never written. */
import { DriftlineError } from '../../../contract/errors.ts'
import { type Db, userVersion } from './open.ts'
import { write } from './transaction.ts'

/** SQL of each version, oldest first: MIGRATIONS[0] makes version 1. Never edit one that has shipped. */
export type Migrations = readonly string[]

/** Brings a database to the newest version. Throws StoreNewer when it is already past it. */
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

/** What makes a database fit for use, or throws. */
export type Prepare = (db: Db, migrations: Migrations) => void

/** For hooks, which never change a file's format: a host or a person's command does that, alone. */
export const requireNewest: Prepare = (db, migrations) => {
  const version = userVersion(db)
  if (version > migrations.length) throw storeNewer(db.name, version, migrations.length)
  if (version < migrations.length)
    throw new Error(`${db.name} has format ${version}, and only ${migrations.length} is read here`)
}

function storeNewer(file: string, found: number, known: number): DriftlineError {
  return new DriftlineError(
    'StoreNewer',
    `This history was written by a newer Driftline (format ${found}, this one knows ${known}). It is untouched. Update Driftline to go on recording.`,
    { file, found, known }
  )
}
