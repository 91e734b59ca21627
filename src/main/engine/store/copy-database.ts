/** Copies of open databases, and their verification. */
import { existsSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import { openAsItIs } from './database.ts'
import { column, type Readable } from './sql.ts'

/** Pages copied at once: 0.5 MB, whose sync a write on this thread hardly notices. */
const PAGES = 64

/**
 * Copies a database as it is at one moment, while it is written (SQLite's backup API, sqlite.org/backup.html). What this
 * connection writes meanwhile goes to the copy, too; a write of another connection starts the copy again. Returns the
 * size of the copy, bytes.
 *
 * SQLite syncs the copy in the last step, which would block this thread until all pages are on the disk. So each step is
 * synced by another thread before the next one begins, and the last step syncs only its own pages.
 */
export async function copyDatabase({ db }: Readable, to: string): Promise<number> {
  const steps = beginCopy(db, to)
  let file: FileHandle | undefined
  try {
    // Makes the file.
    steps.transfer(0)
    file = await open(to, 'r+')
    while (steps.transfer(PAGES).remainingPages > 0) await file.datasync()
  } finally {
    steps.close()
    // After SQLite has closed it: closing a file ends the locks that the process holds on it.
    await file?.close()
  }
  return statSync(to).size
}

/** A copy in steps. The last one syncs it. */
interface CopySteps {
  transfer(pages: number): { readonly remainingPages: number }
  close(): void
}

interface NativeDatabase {
  backup?(db: Readable['db'], name: string, to: string, isNew: boolean): CopySteps
}

/**
 * better-sqlite3's own object for a copy, which is private: its `backup` takes the next step at once, so nothing can wait
 * for the disk between two of them.
 */
function beginCopy(db: Readable['db'], to: string): CopySteps {
  for (const symbol of Object.getOwnPropertySymbols(db)) {
    const native = (db as unknown as Readonly<Record<symbol, NativeDatabase>>)[symbol]
    if (typeof native?.backup === 'function') return native.backup(db, 'main', to, !existsSync(to))
  }
  throw new DriftlineError('Bug', 'This version of better-sqlite3 cannot copy a database in steps.')
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
