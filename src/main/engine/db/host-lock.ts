/** Host election: one process at a time holds an EXCLUSIVE transaction on host.db; the OS frees it at death. */
import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DriftlineError } from '../../../contract/errors.ts'

export interface HostLock {
  release(): void
}

/** How long to wait for a host that is just leaving, in ms. */
const WAIT = 300

/**
 * Takes the host's place for this data folder, or answers null when another process (or this one) holds it.
 * Nothing else may open host.db with `fs`: closing any descriptor of a file drops the process's POSIX locks on it.
 */
export function holdHostLock(dataDir: string): HostLock | null {
  const file = join(dataDir, 'host.db')
  makePrivateFile(file)
  const db = new Database(file, { timeout: WAIT })
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

/** host.db as a regular file of mode 0600; a link or anything else there is refused. */
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
    // Expected: EEXIST, when another host starts at this moment and made it first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
