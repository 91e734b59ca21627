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
import { FLOOR, type FreeBytes, freeBytes, isDiskFull } from '../files/disk-space.ts'
import { errorCode } from '../files/fs-errors.ts'
import { toDriftlineError } from '../store/database.ts'
import { checkpointLog, countFreePages, freePages, rewriteFile, withoutBusyTimeout } from '../store/maintenance.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { liveRuns } from '../store/runs.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { Pause } from './contents.ts'

/** Pages returned in one step: 4 MB. */
const PAGES_PER_STEP = 512

const READERS = 'Another process is reading the history'
const WRITER = 'Another process is writing to the history'
const LIVE_RUN = 'A run is live'
const NO_ROOM = 'The disk has too little free space to rewrite the history'
const ERASED_LATER =
  'deleted content is erased from the file later: automatically while Driftline is open, or with "driftline gc". It is not shown anywhere meanwhile.'
const FREED_LATER = 'the disk space is freed a little later.'

/** Makes the next `vacuum` erase every byte of what was deleted. Part of the transaction that deletes. */
export function requestErase(tx: Writable<Store>): void {
  writeMeta(tx, 'erase', '1')
}

/** A vacuum was not possible completely, or was requested and has not run. */
export function needsVacuum(store: Store): boolean {
  return readMeta(store, 'give_back') === '1' || readMeta(store, 'erase') === '1'
}

/** Returns '' when it is complete. Else a sentence that says why not; `needsVacuum` is true then. */
export async function vacuum(store: Store, pause: Pause, free: FreeBytes = freeBytes): Promise<string> {
  const isErase = readMeta(store, 'erase') === '1'
  const obstacle = isErase ? eraseDeleted(store, free) : ''
  await freeAllPages(store, pause)
  const isDone = withoutBusyTimeout(store, () => {
    // PASSIVE works beside readers. TRUNCATE needs that none of them uses the log, and is tried only when all was
    // copied.
    const passive = checkpointLog(store, 'PASSIVE')
    return passive.busy === 0 && passive.log === passive.checkpointed && checkpointLog(store, 'TRUNCATE').busy === 0
  })
  const pending = isDone ? '0' : '1'
  if ((readMeta(store, 'give_back') ?? '0') !== pending) transact(store, (tx) => writeMeta(tx, 'give_back', pending))
  if (obstacle !== '') return `${obstacle}, so ${ERASED_LATER}`
  if (isDone) return ''
  return `${READERS}, so ${isErase ? ERASED_LATER : FREED_LATER}`
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
 * nothing less than VACUUM removes those. Readers continue meanwhile; writers wait, about 5 s per GB. Returns '' or why
 * it has to happen later.
 */
function eraseDeleted(store: Store, free: FreeBytes): string {
  const { file } = store
  if (liveRuns(store).length > 0) return LIVE_RUN
  const room = free(dirname(file))
  // VACUUM writes everything twice: to a temporary file, and from there to the write-ahead log.
  if (room !== null && room < 2 * statSync(file).size + FLOOR) return NO_ROOM
  try {
    rewriteFile(store)
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY') return WRITER
    const known = toDriftlineError(error, file)
    if (isDiskFull(known)) return NO_ROOM
    throw known
  }
  transact(store, (tx) => writeMeta(tx, 'erase', '0'))
  return ''
}
