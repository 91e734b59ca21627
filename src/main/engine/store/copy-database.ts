/** Copies of open databases, and their verification. */
import { statSync } from 'node:fs'
import { openAsItIs } from './database.ts'
import { column, type Readable } from './sql.ts'

/** Pages copied between two turns of the event loop: 4 MB, which takes some milliseconds. */
const PAGES = 512

/**
 * Copies a database as it is at one moment, while it is written (SQLite's backup API, sqlite.org/backup.html). What this
 * connection writes meanwhile goes to the copy, too; a write of another connection starts the copy again. Returns the
 * size of the copy, bytes.
 */
export async function copyDatabase({ db }: Readable, to: string): Promise<number> {
  await db.backup(to, { progress: () => PAGES })
  return statSync(to).size
}

/** The same for a database that is not open. */
export async function copyClosedDatabase(file: string, to: string): Promise<number> {
  const db = openAsItIs(file, 'to-read')
  try {
    return await copyDatabase({ db }, to)
  } finally {
    db.close()
  }
}

/** What SQLite finds wrong in a database that nothing has open; nothing for a whole one. Reads all of it. */
export function problemsOfDatabase(file: string): readonly string[] {
  const db = openAsItIs(file, 'to-read')
  try {
    return column<string>({ db }, 'PRAGMA integrity_check(10)').filter((line) => line !== 'ok')
  } finally {
    db.close()
  }
}
