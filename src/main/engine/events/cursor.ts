/**
 * Where a list of events begins: after an edit and a checkpoint, with what had begun and not ended there. Invariant: a
 * follower that continues at a cursor misses no event, and gets none twice (EV-1).
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { EventCursor } from '../../../contract/events.ts'
import type { Seq } from '../../../contract/log.ts'
import { lastCheckpointBefore } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { restoresAcross, unfinishedRestores } from '../store/restores.ts'
import { liveRuns, runsAcross } from '../store/runs.ts'

/** The end of the log: what happens from now on. */
export function cursorNow(store: Store): EventCursor {
  return {
    edit: store.records.lastSeq(),
    checkpoint: lastCheckpointBefore(store, null),
    open: [...liveRuns(store), ...unfinishedRestores(store)].map(({ id }) => id)
  }
}

/**
 * A position: the changes after it, and everything else that happened at it or later. A follower that has the events up
 * to some position continues there and misses none, because a checkpoint or the end of a run at a position comes after
 * its change.
 */
export function cursorAt(store: Store, seq: Seq): EventCursor {
  refuseBeyond(store, seq)
  return {
    edit: seq,
    checkpoint: lastCheckpointBefore(store, seq),
    open: [...runsAcross(store, seq), ...restoresAcross(store, seq)]
  }
}

/** For a cursor of an earlier answer. Fails if the log ends before it: then it is not the log that it was made for. */
export function refuseBeyond(store: Store, seq: Seq): void {
  const last = store.records.lastSeq()
  if (seq <= last) return
  throw new DriftlineError(
    'UnknownTarget',
    `The log of this folder ends at position ${last}, so there is no position ${seq}.`,
    { target: `seq:${seq}` }
  )
}
