/**
 * What a host does about the history by itself: keeps it within its bounds, gives space back that could not be given back
 * at once, and measures. Only at calm moments: no run, copy or restore, and nothing recorded for a minute.
 */
import { readRev, write } from '../db/transaction.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../store/open-store.ts'
import type { Bounds } from './bounds.ts'
import type { Pause } from './contents.ts'
import { giveBack, owesBack } from './give-back.ts'
import { measure, unmeasured, usageOf } from './usage.ts'

export interface KeeperOptions {
  readonly store: Store
  readonly clock: Clock
  bounds(): Bounds
  isBusy(): boolean
  sweep(bounds: Bounds): Promise<unknown>
  pause(): Pause
}

const CALM_MS = 60_000
/** Age moves slowly: so often it is looked at without being over the budget. */
const AGED_MS = 6 * 3600_000
/** Contents added since the last measure that are worth a new one. */
const MANY = 500

/** Does one thing that is due, if any. Call every minute or so, never twice at once. */
export function createKeeper({ store, clock, bounds, isBusy, sweep, pause }: KeeperOptions): () => Promise<void> {
  const { db } = store
  let sweptRev = -1
  const newest = db.prepare('SELECT at FROM edit ORDER BY seq DESC LIMIT 1').pluck()

  return async () => {
    const now = clock.now()
    const last = newest.get() as number | undefined
    if (isBusy() || (last !== undefined && Math.abs(now - last) < CALM_MS)) return
    const set = bounds()
    const isOver = usageOf(store).historyBytes > set.budget && readRev(db) !== sweptRev
    if (isOver || Math.abs(now - Number(store.meta('swept_at') ?? 0)) > AGED_MS) {
      await sweep(set)
      sweptRev = readRev(db)
      write(db, () => store.setMeta('swept_at', String(now)))
    } else if (unmeasured(store) > MANY) await measure(store, pause())
    else if (owesBack(store)) await giveBack(store, pause())
  }
}
