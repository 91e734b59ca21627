/**
 * Returns free pages of the database file to the disk, and on request erases every byte of what was deleted. It never waits
 * for a reader: what another process may still read stays in the file, and maintenance.ts tries again later.
 *
 * SQLite (WAL mode, https://www.sqlite.org/wal.html): deleted rows leave free pages in the file and copies of old pages in
 * the write-ahead log. A log that a reader uses cannot be truncated; only VACUUM rewrites pages that still hold live rows.
 */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Db, toDriftlineError } from '../db/open.ts'
import { prepareCached, write } from '../db/transaction.ts'
import { FLOOR, type FreeBytes, freeBytes, isDiskFull } from '../files/disk-space.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { liveRuns } from '../store/runs.ts'
import type { Store } from '../store/open-store.ts'
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

/** Makes the next `vacuum` erase every byte of what was deleted. Call in the transaction that deletes. */
export function requestErase(store: Store): void {
  store.setMeta('erase', '1')
}

/** A vacuum was not possible completely, or was requested and has not run. */
export function needsVacuum(store: Store): boolean {
  return store.meta('give_back') === '1' || store.meta('erase') === '1'
}

/** Returns '' when it is complete. Else a sentence that says why not; `needsVacuum` is true then. */
export async function vacuum(store: Store, pause: Pause, free: FreeBytes = freeBytes): Promise<string> {
  const { db } = store
  const isErase = store.meta('erase') === '1'
  const obstacle = isErase ? rewriteFile(store, free) : ''
  await freePages(db, pause)
  const isDone = withoutBusyTimeout(db, () => {
    // PASSIVE works beside readers. TRUNCATE needs that none of them uses the log, and is tried only when all was copied.
    const passive = walCheckpoint(db, 'PASSIVE')
    return passive.busy === 0 && passive.log === passive.checkpointed && walCheckpoint(db, 'TRUNCATE').busy === 0
  })
  const pending = isDone ? '0' : '1'
  if ((store.meta('give_back') ?? '0') !== pending) write(db, () => store.setMeta('give_back', pending))
  if (obstacle !== '') return `${obstacle}, so ${ERASED_LATER}`
  if (isDone) return ''
  return `${READERS}, so ${isErase ? ERASED_LATER : FREED_LATER}`
}

async function freePages(db: Db, pause: Pause): Promise<void> {
  const count = (): number => db.pragma('freelist_count', { simple: true }) as number
  for (let before = count(); before > 0; ) {
    db.pragma(`incremental_vacuum(${PAGES_PER_STEP})`)
    const after = count()
    if (after >= before) break
    before = after
    const wait = pause()
    if (wait) await wait
  }
}

/**
 * Rewrites the file from its rows. Pages that were merged or split keep pieces of deleted rows between live ones, and
 * nothing less than VACUUM removes those. Readers continue meanwhile; writers wait, about 5 s per GB. Returns '' or why it
 * has to happen later.
 */
function rewriteFile(store: Store, free: FreeBytes): string {
  const { db, file } = store
  if (liveRuns(store).length > 0) return LIVE_RUN
  const room = free(dirname(file))
  // VACUUM writes everything twice: to a temporary file, and from there to the write-ahead log.
  if (room !== null && room < 2 * statSync(file).size + FLOOR) return NO_ROOM
  try {
    db.exec('VACUUM')
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY') return WRITER
    const known = toDriftlineError(error, file)
    if (isDiskFull(known)) return NO_ROOM
    throw known
  }
  write(db, () => store.setMeta('erase', '0'))
  return ''
}

/** Pages in the log, and how many of them are in the database now. `busy` = 1: a reader or writer prevented completion. */
function walCheckpoint(db: Db, mode: 'PASSIVE' | 'TRUNCATE'): { busy: number; log: number; checkpointed: number } {
  const [row] = db.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[]
  return row ?? { busy: 1, log: 0, checkpointed: 0 }
}

/** Locks held by others fail at once in `body`, instead of after the connection's timeout. */
function withoutBusyTimeout<T>(db: Db, body: () => T): T {
  const { timeout } = prepareCached(db, 'PRAGMA busy_timeout').get() as { timeout: number }
  db.pragma('busy_timeout = 0')
  try {
    return body()
  } finally {
    db.pragma(`busy_timeout = ${timeout}`)
  }
}
