/**
 * Locks between processes: the owner holds an EXCLUSIVE transaction on a SQLite file. SQLite's file lock is released by
 * the operating system when the owner dies, so no lock outlives its process, unlike a pid file.
 */
import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode } from '../files/fs-errors.ts'
import { toDriftlineError } from './database.ts'
import { settleReserve } from './reserve.ts'

export interface HeldLock {
  release(): void
}

/** How long to wait for a host that is closing, ms. */
const WAIT_MS = 300

/** Makes this process the host of the data folder. Null if another host (or this process) holds the lock. */
export function acquireHostLock(dataDir: string): HeldLock | null {
  // The lock is the first thing that a start writes.
  settleReserve(dataDir)
  return acquireLock(join(dataDir, 'host.db'), WAIT_MS)
}

/**
 * Null if the lock is held by another owner for longer than `waitMs`. Nothing else in this process may open the file
 * with `fs`: closing any descriptor of a file drops all POSIX locks of the process on it (fcntl(2);
 * sqlite.org/howtocorrupt.html, 2.2).
 */
export function acquireLock(file: string, waitMs: number): HeldLock | null {
  makePrivateFile(file)
  const db = new Database(file, { timeout: waitMs })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw toDriftlineError(error, file)
  }
  let held = true
  return {
    release() {
      if (!held) return
      held = false
      db.exec('ROLLBACK')
      db.close()
    }
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error))
}

/** Creates the file with mode 0600. A link or anything but a regular file is refused: SQLite would follow it. */
function makePrivateFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats?.isFile()) return
  if (stats) {
    throw new DriftlineError(
      'StoreDamaged',
      `${file} is not a regular file, so Driftline does not use it. Move it away and start Driftline again.`
    )
  }
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (error) {
    // EEXIST: another process that is starting created it first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
