/** Reads from a store the facts that decide which positions are kept whole (retained.ts). */
import type { Store } from '../store/open-store.ts'
import { retentionCheckpoints, runSpans } from '../store/retention-queries.ts'
import { type RetentionFacts, retainedPositions } from './retained.ts'

export function retentionFacts(store: Store, now: number, days: number, oldSessions: boolean): RetentionFacts {
  return { checkpoints: retentionCheckpoints(store), runs: runSpans(store), now, days, oldSessions }
}

/** How many positions are kept whole now, and the time of the oldest. */
export function retainedNow(store: Store, now: number, days: number): { positions: number; oldestAt: number | null } {
  const facts = retentionFacts(store, now, days, true)
  const kept = new Set(retainedPositions(facts))
  let oldestAt: number | null = null
  for (const { seq, at } of facts.checkpoints) if (kept.has(seq) && (oldestAt === null || at < oldestAt)) oldestAt = at
  return { positions: kept.size, oldestAt }
}
