/** Which positions of the log are kept whole, as a function of what was recorded: pins, guards, runs, the newest of each session. */

export interface PointRow {
  /** Order of making. */
  readonly n: number
  readonly seq: number
  readonly reason: string
  readonly session: string | null
  readonly at: number
}

export interface RunSpan {
  readonly startSeq: number
  /** null while it is live. */
  readonly endSeq: number | null
  readonly endedAt: number | null
}

export interface RetentionFacts {
  readonly points: readonly PointRow[]
  readonly runs: readonly RunSpan[]
  readonly now: number
  /** 0 = for ever. */
  readonly days: number
  /** Whether conversations that ended before those days keep their newest positions too. */
  readonly oldSessions: boolean
}

const NEWEST_GUARDS = 20
const NEWEST_OF_SESSION = 10
const DAY = 86_400_000

/** When what is older than `days` began to be so, ms UTC. */
export function cutoffOf(now: number, days: number): number {
  return days === 0 ? Number.NEGATIVE_INFINITY : now - days * DAY
}

/** Sorted and distinct. The newest state is kept besides, as head. */
export function retainedPositions(facts: RetentionFacts): number[] {
  const cutoff = cutoffOf(facts.now, facts.days)
  const kept = new Set<number>()
  const newestFirst = [...facts.points].sort((a, b) => b.n - a.n)
  const bySession = new Map<string, Set<number>>()
  let guards = 0
  for (const { seq, reason, session, at } of newestFirst) {
    if (reason === 'manual') kept.add(seq)
    else if (reason === 'pre_restore_guard') {
      if (guards++ < NEWEST_GUARDS || at >= cutoff) kept.add(seq)
    } else {
      const name = session ?? ''
      let own = bySession.get(name)
      if (!own) {
        // The newest session is kept however long ago it was: who comes back after a year can go on where he stopped.
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
