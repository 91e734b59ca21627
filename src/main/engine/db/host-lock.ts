/** Locks between processes: one at a time holds an EXCLUSIVE transaction on a file of ours; the OS frees it at death. */
import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DriftlineError } from '../../../contract/errors.ts'

export interface HeldLock {
  release(): void
}

/** How long to wait for a host that is just leaving, in ms. */
const WAIT = 300

/** Takes the host's place for this data folder, or answers null when another process (or this one) holds it. */
export function holdHostLock(dataDir: string): HeldLock | null {
  return holdLock(join(dataDir, 'host.db'), WAIT)
}

/**
 * Holds the lock of that name, or answers null when somebody else holds it for longer than `wait` ms. Nothing else may
 * open the file with `fs`: closing any descriptor of a file drops the process's POSIX locks on it.
 */
export function holdLock(file: string, wait: number): HeldLock | null {
  makePrivateFile(file)
  const db = new Database(file, { timeout: wait })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
}

/** The lock as a regular file of mode 0600; a link or anything else there is refused. */
function makePrivateFile(file: string): void {
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there?.isFile()) return
  if (there) {
    throw new DriftlineError(
      'StoreDamaged',
      `${file} is not a regular file, so Driftline will not use it. Move it away.`
    )
  }
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (error) {
    // Expected: EEXIST, when another process starts at this moment and made it first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
