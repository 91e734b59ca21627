/**
 * What the recorder does about the size of a history on its own: sweeps it when it is over its limits, finishes a
 * vacuum that was not possible at once, and measures. It works only when the workspace is idle: no run, snapshot or
 * restore, and nothing recorded for a minute.
 */
import type { Clock } from '../ports/clock.ts'
import { lastEditAt } from '../store/edits.ts'
import { readMeta, readRev, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { hasPackedPaths } from '../store/packed-paths.ts'
import { transact } from '../store/sql.ts'
import type { Pause } from './contents.ts'
import type { RetentionLimits } from './limits.ts'
import { countUnmeasured, measure, usageOf } from './usage.ts'
import { needsVacuum, vacuum } from './vacuum.ts'

interface MaintenanceOptions {
  readonly store: Store
  readonly clock: Clock
  readLimits(): RetentionLimits
  isBusy(): boolean
  sweep(limits: RetentionLimits): Promise<unknown>
  pause(): Pause
}

/** No edit for this long: the workspace is idle. */
const IDLE_MS = 60_000
/** Interval of sweeps for age alone, without being over the budget. */
const AGE_SWEEP_MS = 6 * 3600_000
/** Contents added since the last measurement that are worth a new one. */
const MANY_CONTENTS = 500

/** The returned function does at most one task that is due. Call it about every minute, and never twice at once. */
export function createMaintenance(options: MaintenanceOptions): () => Promise<void> {
  const { store, clock, readLimits, isBusy, sweep, pause } = options
  // A sweep may not get below the budget. It is not tried again before something was written.
  let sweptRev = -1

  return async () => {
    // Nothing was recorded yet.
    if (hasPackedPaths(store)) return
    const now = clock.now()
    const last = lastEditAt(store)
    // Distances are absolute: a clock that was set back must not stop maintenance until it has caught up.
    if (isBusy() || (last !== null && Math.abs(now - last) < IDLE_MS)) return
    const limits = readLimits()
    const isOver = usageOf(store).historyBytes > limits.budget && readRev(store) !== sweptRev
    if (isOver || Math.abs(now - Number(readMeta(store, 'swept_at') ?? 0)) > AGE_SWEEP_MS) {
      await sweep(limits)
      sweptRev = readRev(store)
      transact(store, (tx) => writeMeta(tx, 'swept_at', String(now)))
    } else if (countUnmeasured(store) > MANY_CONTENTS) await measure(store, pause())
    else if (needsVacuum(store)) await vacuum(store, pause())
  }
}
