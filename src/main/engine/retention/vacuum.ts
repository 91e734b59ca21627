/**
 * Returns free pages of the database file to the disk, and on request erases every byte of what was deleted. It never
 * waits for a reader: what another process may still read stays in the file, and maintenance.ts tries again later.
 *
 * SQLite (WAL mode, https://www.sqlite.org/wal.html): deleted rows leave free pages in the file and copies of old pages
 * in the write-ahead log. A log that a reader uses cannot be truncated; only VACUUM rewrites pages that still hold live
 * rows.
 */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Postponed } from '../../../contract/storage.ts'
import { FLOOR, type FreeBytes, freeBytes, isDiskFull } from '../files/disk-space.ts'
import { errorCode } from '../files/fs-errors.ts'
import { toDriftlineError } from '../store/database.ts'
import {
  checkpointLog,
  countFreePages,
  databaseBytes,
  freePages,
  rewriteFile,
  withoutBusyTimeout
} from '../store/maintenance.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { liveRuns } from '../store/runs.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { Pause } from './contents.ts'

/** Pages returned in one step: 4 MB. */
const PAGES_PER_STEP = 512

/** Makes the next `vacuum` erase every byte of what was deleted. Part of the transaction that deletes. */
export function requestErase(tx: Writable<Store>): void {
  writeMeta(tx, 'erase', '1')
}

/** A vacuum was not possible completely, or was requested and has not run. */
export function needsVacuum(store: Store): boolean {
  return readMeta(store, 'give_back') === '1' || readMeta(store, 'erase') === '1'
}

/** Returns null when it is complete. Else why not; `needsVacuum` is true then. */
export async function vacuum(store: Store, pause: Pause, free: FreeBytes = freeBytes): Promise<Postponed | null> {
  const erases = readMeta(store, 'erase') === '1'
  const obstacle = erases ? eraseDeleted(store, free) : null
  await freeAllPages(store, pause)
  const fits = logFits(store, free)
  const isDone =
    fits &&
    withoutBusyTimeout(store, () => {
      // PASSIVE works beside readers. TRUNCATE needs that none of them uses the log, and is tried only when all was
      // copied.
      const passive = checkpointLog(store, 'PASSIVE')
      return passive.busy === 0 && passive.log === passive.checkpointed && checkpointLog(store, 'TRUNCATE').busy === 0
    })
  const pending = isDone ? '0' : '1'
  if ((readMeta(store, 'give_back') ?? '0') !== pending) transact(store, (tx) => writeMeta(tx, 'give_back', pending))
  if (isDone && obstacle === null) return null
  return { code: 'postponed', why: obstacle ?? (fits ? 'readers' : 'no-room'), erases }
}

/** [RC-4] A copy that fails would have filled what was left of the disk. */
function logFits(store: Store, free: FreeBytes): boolean {
  const room = free(dirname(store.file))
  return room === null || databaseBytes(store) - statSync(store.file).size <= room
}

async function freeAllPages(store: Store, pause: Pause): Promise<void> {
  for (let before = countFreePages(store); before > 0; ) {
    freePages(store, PAGES_PER_STEP)
    const after = countFreePages(store)
    if (after >= before) break
    before = after
    await pause()
  }
}

/**
 * Rewrites the file from its rows. Pages that were merged or split keep pieces of deleted rows between live ones, and
 * nothing less than VACUUM removes those. Readers continue meanwhile; writers wait, about 5 s per GB. Returns null, or
 * why it has to happen later.
 */
function eraseDeleted(store: Store, free: FreeBytes): Postponed['why'] | null {
  const { file } = store
  if (liveRuns(store).length > 0) return 'live-run'
  const room = free(dirname(file))
  // VACUUM writes everything twice: to a temporary file, and from there to the write-ahead log.
  if (room !== null && room < 2 * statSync(file).size + FLOOR) return 'no-room'
  try {
    rewriteFile(store)
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY') return 'writer'
    const known = toDriftlineError(error, file)
    if (isDiskFull(known)) return 'no-room'
    throw known
  }
  transact(store, (tx) => writeMeta(tx, 'erase', '0'))
  return null
}
