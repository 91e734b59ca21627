/** Owns the value `brake-stops` of `meta`: runs that the brake stopped and what was decided, oldest first, one per run. */
import type { BrakeState } from '../../../contract/brake.ts'
import type { Seq } from '../../../contract/log.ts'
import { bumpRev, readMeta, writeMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import type { Writable } from './sql.ts'

export interface StoredStop {
  readonly run: string
  readonly state: BrakeState
  /** When it was stopped, ms UTC. */
  readonly at: number
  /** How many files it had deleted when it was stopped, and the innermost folder that they were in ('' = the root). */
  readonly deleted: number
  readonly folder: string
  /** The position before its first loss. */
  readonly from: Seq
  /** Losses up to this position no longer count: where it was decided. */
  readonly decided: Seq
}

const KEY = 'brake-stops'
/** Older ones are forgotten: what happened is in the timeline, as checkpoints. */
const MOST = 50

export function brakeStops(store: Store): readonly StoredStop[] {
  return JSON.parse(readMeta(store, KEY) ?? '[]') as StoredStop[]
}

export function findStop(store: Store, run: string): StoredStop | null {
  return brakeStops(store).find((stop) => stop.run === run) ?? null
}

/** The stop because of which a run may change no files: a person has not decided yet, or has ended the run. */
export function blockingStop(store: Store, run: string): StoredStop | null {
  const stop = findStop(store, run)
  return stop?.state === 'held' || stop?.state === 'ended' ? stop : null
}

/** Adds a stop, or replaces the one of the same run. */
export function putStop(tx: Writable<Store>, stop: StoredStop): void {
  const others = brakeStops(tx).filter(({ run }) => run !== stop.run)
  writeMeta(tx, KEY, JSON.stringify([...others, stop].slice(-MOST)))
  bumpRev(tx)
}
