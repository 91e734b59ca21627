/** Which positions are kept whole, compared with a literal implementation of the rules. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RetentionFacts, retainedPositions } from '../../../../src/main/engine/retention/retained.ts'
import type { RetentionCheckpoint, RunSpan } from '../../../../src/main/engine/store/retention-queries.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY

const points = (list: Partial<RetentionCheckpoint>[]): RetentionCheckpoint[] =>
  list.map((partial, i) => ({ n: i + 1, seq: i, reason: 'end_of_turn', session: 's', at: NOW, ...partial }))
const kept = (facts: Partial<RetentionFacts>): number[] =>
  retainedPositions({ checkpoints: [], runs: [], worktrees: [], now: NOW, days: 30, oldSessions: true, ...facts })

test('a pin is kept however old it is', () => {
  expect(kept({ checkpoints: points([{ seq: 7, reason: 'manual', at: 0 }]) })).toEqual([7])
})

test('guards are kept for the set days, and the newest 20 forever', () => {
  const old = Array.from({ length: 30 }, (_, i) => ({ seq: i, reason: 'pre_restore_guard', at: 0 }))
  expect(kept({ checkpoints: points(old) })).toEqual(Array.from({ length: 20 }, (_, i) => i + 10))
  const fresh = old.map((guard) => ({ ...guard, at: NOW - 29 * DAY }))
  expect(kept({ checkpoints: points(fresh) })).toHaveLength(30)
})

test('runs that ended within the set days keep both ends, a live run its start', () => {
  const runs: RunSpan[] = [
    { startSeq: 1, endSeq: 2, endedAt: NOW - 31 * DAY },
    { startSeq: 3, endSeq: 5, endedAt: NOW - 29 * DAY },
    { startSeq: 8, endSeq: null, endedAt: null }
  ]
  expect(kept({ runs })).toEqual([3, 5, 8])
  expect(kept({ runs, days: 0 })).toEqual([1, 2, 3, 5, 8])
})

test('each session keeps its newest 10 positions, counted once each', () => {
  const twice = Array.from({ length: 30 }, (_, i) => ({ seq: i >> 1, at: 0, session: i % 4 < 2 ? 'a' : 'b' }))
  expect(kept({ checkpoints: points(twice) })).toEqual(Array.from({ length: 15 }, (_, i) => i))
  const single = Array.from({ length: 30 }, (_, i) => ({ seq: i >> 1, at: 0 }))
  expect(kept({ checkpoints: points(single) })).toEqual(Array.from({ length: 10 }, (_, i) => i + 5))
})

test('over the budget old sessions lose their positions, the newest session never', () => {
  const two = [
    { seq: 1, session: 'a', at: 0 },
    { seq: 2, session: 'b', at: 1 },
    { seq: 3, session: 'b', at: 2 }
  ]
  expect(kept({ checkpoints: points(two) })).toEqual([1, 2, 3])
  expect(kept({ checkpoints: points(two), oldSessions: false })).toEqual([2, 3])
})

const point = fc.record({
  seq: fc.integer({ min: 0, max: 40 }),
  reason: fc.constantFrom('manual', 'pre_restore_guard', 'run_start', 'end_of_turn', 'pre_write', 'compact'),
  session: fc.constantFrom(null, 'a', 'b'),
  at: fc.integer({ min: NOW - 60 * DAY, max: NOW })
})
const run = fc.record({
  startSeq: fc.integer({ min: 0, max: 40 }),
  endSeq: fc.option(fc.integer({ min: 0, max: 40 })),
  endedAt: fc.option(fc.integer({ min: NOW - 60 * DAY, max: NOW }))
})

test('[CK-1] keeps exactly the positions that the rules name, and more days never keep less', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 80 }), fc.array(run, { maxLength: 10 }), (list, runs) => {
      const rows = points(list)
      const found = kept({ checkpoints: rows, runs })
      const newest = (some: RetentionCheckpoint[]): RetentionCheckpoint[] => [...some].sort((a, b) => b.n - a.n)
      const guards = newest(rows.filter((row) => row.reason === 'pre_restore_guard'))
      const automatic = rows.filter((row) => row.reason !== 'manual' && row.reason !== 'pre_restore_guard')
      const isFresh = (at: number): boolean => at >= NOW - 30 * DAY
      const expected = new Set<number>([
        ...rows.filter((row) => row.reason === 'manual').map((row) => row.seq),
        ...guards.filter((guard, i) => i < 20 || isFresh(guard.at)).map((guard) => guard.seq),
        ...runs
          .filter(({ endedAt }) => endedAt === null || isFresh(endedAt))
          .flatMap(({ startSeq, endSeq }) => (endSeq === null ? [startSeq] : [startSeq, endSeq])),
        ...[null, 'a', 'b'].flatMap((session) =>
          [...new Set(newest(automatic.filter((row) => row.session === session)).map((row) => row.seq))].slice(0, 10)
        )
      ])
      expect(found).toEqual([...expected].sort((a, b) => a - b))
      const longer = new Set(kept({ checkpoints: rows, runs, days: 45 }))
      expect(found.every((seq) => longer.has(seq))).toBe(true)
    })
  )
})
