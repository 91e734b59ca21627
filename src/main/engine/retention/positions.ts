/** Reads from a store what decides which positions are kept whole. */
import type { Store } from '../store/open-store.ts'
import { type PointRow, type RetentionFacts, type RunSpan, retainedPositions } from './retained.ts'

/** [LG-1] A clock that was wrong makes nothing older than what was recorded before it. */
const AT_LEAST = 'max(at) OVER (ORDER BY n)'

export function retentionFacts(
  { db }: Store,
  now: number,
  days: number,
  oldSessions: boolean
): RetentionFacts & { readonly points: readonly PointRow[] } {
  return {
    points: db.prepare(`SELECT n, seq, reason, session, ${AT_LEAST} AS at FROM checkpoint`).all() as PointRow[],
    runs: db
      .prepare(
        `SELECT r.start_seq AS startSeq, r.end_seq AS endSeq, max(r.ended_at, c.at) AS endedAt
         FROM run r JOIN (SELECT id, ${AT_LEAST} AS at FROM checkpoint) c ON c.id = r.start_checkpoint`
      )
      .all() as RunSpan[],
    now,
    days,
    oldSessions
  }
}

/** How many positions are kept whole now, and since when. */
export function retainedNow(store: Store, now: number, days: number): { positions: number; oldestAt: number | null } {
  const facts = retentionFacts(store, now, days, true)
  const kept = new Set(retainedPositions(facts))
  let oldestAt: number | null = null
  for (const { seq, at } of facts.points) if (kept.has(seq) && (oldestAt === null || at < oldestAt)) oldestAt = at
  return { positions: kept.size, oldestAt }
}
