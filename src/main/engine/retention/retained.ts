/**
 * Decides which positions of a log are kept whole, that is with the content of every path. Pure: the rules of
 * docs/retention.md as one function over checkpoints and runs.
 */
import type { RetentionCheckpoint, RunSpan } from '../store/retention-queries.ts'

export interface RetentionFacts {
  readonly checkpoints: readonly RetentionCheckpoint[]
  readonly runs: readonly RunSpan[]
  /** Positions that histories of worktrees read contents at. */
  readonly worktrees: readonly number[]
  readonly now: number
  /** `history.days`; 0 = forever. */
  readonly days: number
  /** Whether sessions that ended before the cutoff keep their newest positions, too. */
  readonly oldSessions: boolean
}

const NEWEST_GUARDS = 20
const NEWEST_OF_SESSION = 10
const DAY_MS = 86_400_000

/** What is before this time is old, ms UTC. */
export function cutoffOf(now: number, days: number): number {
  return days === 0 ? Number.NEGATIVE_INFINITY : now - days * DAY_MS
}

/** Seqs, ascending and distinct. Content of heads is kept in addition. */
export function retainedPositions(facts: RetentionFacts): number[] {
  const cutoff = cutoffOf(facts.now, facts.days)
  const kept = new Set<number>(facts.worktrees)
  const newestFirst = [...facts.checkpoints].sort((a, b) => b.n - a.n)
  const bySession = new Map<string, Set<number>>()
  let guards = 0
  for (const { seq, reason, session, at } of newestFirst) {
    if (reason === 'manual') kept.add(seq)
    else if (reason === 'pre_restore_guard') {
      if (guards++ < NEWEST_GUARDS || at >= cutoff) kept.add(seq)
    } else {
      // '' collects the checkpoints outside every session.
      const name = session ?? ''
      let own = bySession.get(name)
      if (!own) {
        // The newest session is kept whatever its age, so that it can be resumed after a year.
        if (!facts.oldSessions && at < cutoff && bySession.size > 0) continue
        own = new Set()
        bySession.set(name, own)
      }
      if (own.size < NEWEST_OF_SESSION) own.add(seq)
    }
  }
  for (const own of bySession.values()) for (const seq of own) kept.add(seq)
  for (const { startSeq, endSeq, endedAt } of facts.runs) {
    if (endedAt !== null && endedAt < cutoff) continue
    kept.add(startSeq)
    if (endSeq !== null) kept.add(endSeq)
  }
  return [...kept].sort((a, b) => a - b)
}
