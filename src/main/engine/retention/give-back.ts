/** Gives free pages of the history's file back to the disk, in short steps, and never waits for a reader. */
import type { Db } from '../db/open.ts'
import { prepared, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import type { Pause } from './contents.ts'

/** Pages a step: 4 MB. */
const PAGES = 512

/**
 * True when everything could be given back; false while somebody reads an older state, in any process: what they may still
 * read stays in the file. That is remembered, and a host goes on later (keeper.ts).
 */
export async function giveBack(store: Store, pause: Pause): Promise<boolean> {
  const { db } = store
  const free = (): number => db.pragma('freelist_count', { simple: true }) as number
  for (let left = free(); left > 0; ) {
    db.pragma(`incremental_vacuum(${PAGES})`)
    const now = free()
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
  return isDone
}

/** Free pages still hold what was deleted: they are given back, all of them, and the log with them. */
export async function eraseFreed(store: Store): Promise<boolean> {
  return giveBack(store, () => undefined)
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
