/** Reads from a store the facts that decide which positions are kept whole (retained.ts). */
import type { Store } from '../store/open-store.ts'
import { type RetentionCheckpoint, type RetentionFacts, type RunSpan, retainedPositions } from './retained.ts'

/** [LG-1] SQL: the time of a checkpoint, never before that of an earlier one. A clock that was wrong for a while ages nothing. */
const MONOTONIC_AT = 'max(at) OVER (ORDER BY n)'

export function retentionFacts({ db }: Store, now: number, days: number, oldSessions: boolean): RetentionFacts {
  return {
    checkpoints: db
      .prepare(`SELECT n, seq, reason, session, ${MONOTONIC_AT} AS at FROM checkpoint`)
      .all() as RetentionCheckpoint[],
    runs: db
      .prepare(
        `SELECT r.start_seq AS startSeq, r.end_seq AS endSeq, max(r.ended_at, c.at) AS endedAt
         FROM run r JOIN (SELECT id, ${MONOTONIC_AT} AS at FROM checkpoint) c ON c.id = r.start_checkpoint`
      )
      .all() as RunSpan[],
    now,
    days,
    oldSessions
  }
}

/** How many positions are kept whole now, and the time of the oldest. */
export function retainedNow(store: Store, now: number, days: number): { positions: number; oldestAt: number | null } {
  const facts = retentionFacts(store, now, days, true)
  const kept = new Set(retainedPositions(facts))
  let oldestAt: number | null = null
  for (const { seq, at } of facts.checkpoints) if (kept.has(seq) && (oldestAt === null || at < oldestAt)) oldestAt = at
  return { positions: kept.size, oldestAt }
}
