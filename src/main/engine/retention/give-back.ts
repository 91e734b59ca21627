/** Gives what was let go of back to the disk, and leaves no byte of it where a person asked for that. Never waits for a reader. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Db, translate } from '../db/open.ts'
import { prepared, write } from '../db/transaction.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { liveRuns } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { FLOOR, type FreeBytes, freeBytes, isDiskFull } from '../workspaces/disk-space.ts'
import type { Pause } from './contents.ts'

/** Pages a step: 4 MB. */
const PAGES = 512

const READERS = 'Somebody reads an older state of the history, so'
const NO_ROOM = 'The disk has no room to write the history anew, so'
const LATER =
  'what was deleted leaves the file a little later: by itself while Driftline is open, else with "driftline gc". Nobody is shown it any more.'

/** From now on `giveBack` leaves no byte of what is deleted. Call in the transaction that deletes. */
export function eraseDeleted(store: Store): void {
  store.setMeta('erase', '1')
}

/** Something has to be given back that could not be at once. */
export function owesBack(store: Store): boolean {
  return store.meta('give_back') === '1' || store.meta('erase') === '1'
}

/**
 * Says in a sentence why not everything could be given back, '' when it was. What readers of an older state, in any process,
 * may still read stays in the file. That is remembered, and a host goes on later (keeper.ts).
 */
export async function giveBack(store: Store, pause: Pause, free: FreeBytes = freeBytes): Promise<string> {
  const { db } = store
  const erases = store.meta('erase') === '1'
  const why = erases ? writeAnew(store, free) : ''
  const pages = (): number => db.pragma('freelist_count', { simple: true }) as number
  for (let left = pages(); left > 0; ) {
    db.pragma(`incremental_vacuum(${PAGES})`)
    const now = pages()
    if (now >= left) break
    left = now
    const wait = pause()
    if (wait) await wait
  }
  const isDone = withoutWaiting(db, () => {
    // First what is possible beside readers; only when that was all, the file is cut and the log emptied.
    const passive = checkpointOf(db, 'PASSIVE')
    return passive.busy === 0 && passive.log === passive.checkpointed && checkpointOf(db, 'TRUNCATE').busy === 0
  })
  const left = isDone ? '0' : '1'
  if ((store.meta('give_back') ?? '0') !== left) write(db, () => store.setMeta('give_back', left))
  if (why !== '') return `${why} ${LATER}`
  if (isDone) return ''
  return `${READERS} ${erases ? LATER : 'the space is given back to the disk a little later.'}`
}

/**
 * Writes the whole file anew from its rows: pages that were joined and split keep pieces of deleted rows between the others,
 * which nothing less reaches. Others read meanwhile, and writers wait, some 5 s for each GB. Returns why it has to wait.
 */
function writeAnew(store: Store, free: FreeBytes): string {
  const { db, file } = store
  if (liveRuns(store).length > 0) return 'A run is live and must not wait, so'
  const room = free(dirname(file))
  // Once as the temporary file it is written to first, once as the log.
  if (room !== null && room < 2 * statSync(file).size + FLOOR) return NO_ROOM
  try {
    db.exec('VACUUM')
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY') return 'Somebody else writes the history, so'
    const known = translate(error, file)
    if (isDiskFull(known)) return NO_ROOM
    throw known
  }
  write(db, () => store.setMeta('erase', '0'))
  return ''
}

function checkpointOf(db: Db, mode: 'PASSIVE' | 'TRUNCATE'): { busy: number; log: number; checkpointed: number } {
  const [row] = db.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[]
  return row ?? { busy: 1, log: 0, checkpointed: 0 }
}

function withoutWaiting<T>(db: Db, body: () => T): T {
  const { timeout } = prepared(db, 'PRAGMA busy_timeout').get() as { timeout: number }
  db.pragma('busy_timeout = 0')
  try {
    return body()
  } finally {
    db.pragma(`busy_timeout = ${timeout}`)
  }
}
