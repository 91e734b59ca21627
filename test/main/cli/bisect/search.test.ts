import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minimize } from '../../../../src/main/cli/bisect/minimize.ts'
import { createSearch, type SearchEnd, type SearchOptions } from '../../../../src/main/cli/bisect/search.ts'
import { limitFor, SEED, scaled } from '../../../support/scale.ts'

interface History extends Partial<SearchOptions> {
  readonly count: number
  /** The change after which the command fails. */
  readonly cause: number
  /** How often it fails by chance before, and passes by chance after. */
  readonly fails?: number
  readonly passes?: number
  readonly skips?: (i: number) => boolean
  readonly jobs?: number
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
  }
}

function play(
  history: History,
  next: () => number
): { readonly end: SearchEnd; readonly searched: number; readonly probes: number } {
  const { count, cause, fails = 0, passes = 0, skips = () => false, jobs = 1 } = history
  const search = createSearch({ boundaries: [], isGoodKnown: true, isBadKnown: true, ...history, count })
  let searched = 0
  for (let probes = 0; probes < 200; ) {
    const end = search.end()
    if (end) return { end, searched, probes }
    const phase = search.phase()
    const wanted = search.next([], jobs)
    expect(wanted.length).toBeGreaterThan(0)
    for (const i of wanted) {
      probes++
      if (phase === 'search') searched++
      const isBad = i >= cause ? next() >= passes : next() < fails
      search.report(i, skips(i) ? 'skip' : isBad ? 'bad' : 'good')
    }
  }
  throw new Error('the search does not end')
}

/** How many of some flaky histories end with the right answer, within 60 probes. */
function share(histories: number, history: Omit<History, 'cause'>): number {
  let right = 0
  for (let seed = 0; seed < histories; seed++) {
    const next = random(SEED + 1000 + seed)
    const cause = 1 + Math.floor(next() * history.count)
    const { end, probes } = play({ ...history, cause }, next)
    if (end.state === 'found' && end.change === cause) right++
    expect(probes).toBeLessThanOrEqual(60)
  }
  return right / histories
}

describe('a search', () => {
  test(
    '[BI-5] finds the cause among 500 edits with 9 probes, and repeats both neighbours',
    () => {
      const histories = scaled(40)
      for (let seed = 0; seed < histories; seed++) {
        const next = random(SEED + seed)
        const cause = 1 + Math.floor(next() * 500)
        const { end, searched, probes } = play({ count: 500, cause }, next)
        expect(end).toMatchObject({ state: 'found', change: cause })
        expect(searched).toBeLessThanOrEqual(9)
        expect(probes).toBeLessThanOrEqual(14)
      }
    },
    limitFor(scaled(1))
  )

  test('[BI-5] repeats two probes for half of the causes among 500 edits, where both ends are known', () => {
    const repeats = Array.from({ length: 100 }, (_, n) => {
      const cause = 3 + 5 * n
      const { end, searched, probes } = play({ count: 500, cause }, () => 0.5)
      expect(end).toMatchObject({ state: 'found', change: cause })
      return probes - searched
    }).sort((a, b) => a - b)
    expect(repeats[50]).toBe(2)
    expect(repeats[96]).toBeLessThanOrEqual(3)
  })

  test('[BI-5] does not try an end that is known', () => {
    const ends = (cause: number) => {
      const search = createSearch({ count: 500, boundaries: [], isGoodKnown: true, isBadKnown: true })
      const tried: number[] = []
      for (let end = search.end(); !end; end = search.end())
        for (const i of search.next([], 1)) {
          tried.push(i)
          search.report(i, i >= cause ? 'bad' : 'good')
        }
      expect(search.end()).toMatchObject({ state: 'found', change: cause })
      return tried.filter((i) => i === 0 || i === 500)
    }
    expect([ends(1), ends(250), ends(500)]).toEqual([[], [], []])
  })

  test('[BI-4] finds it in any history, in groups, with unknown ends and several probes at a time', () => {
    const histories = fc.integer({ min: 1, max: 60 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        cause: fc.integer({ min: 1, max: count }),
        boundaries: fc
          .uniqueArray(fc.integer({ min: 1, max: Math.max(1, count - 1) }))
          .map((all) => all.filter((i) => i < count).sort((a, b) => a - b)),
        isGoodKnown: fc.boolean(),
        isBadKnown: fc.boolean(),
        jobs: fc.integer({ min: 1, max: 5 })
      })
    )
    fc.assert(
      fc.property(histories, (history) => {
        expect(play(history, () => 0.5).end).toMatchObject({ state: 'found', change: history.cause })
      }),
      { numRuns: scaled(100) }
    )
  })

  test('[BI-4] leaves positions out where the command cannot run, and says between which positions the cause is', () => {
    const gap = play({ count: 100, cause: 60, skips: (i) => i > 20 && i < 50 }, () => 0.5)
    expect(gap.end).toMatchObject({ state: 'found', change: 60 })
    expect(gap.probes).toBeLessThan(30)
    const hidden = play({ count: 100, cause: 35, skips: (i) => i > 20 && i < 50 }, () => 0.5)
    expect(hidden.end).toMatchObject({ state: 'unclear', change: null })
  })

  test(
    '[BI-5] of a command that fails by chance in one run of five finds the cause 95 times in 100, within 60 probes',
    () => {
      const [few, many] = [200, 500].map((count) => share(scaled(20), { count, fails: 0.2 })) as [number, number]
      expect((few + many) / 2).toBeGreaterThanOrEqual(0.95)
    },
    limitFor(scaled(2))
  )

  test(
    '[BI-5] of a command that passes by chance in one run of five finds the cause 9 times in 10',
    () => {
      expect(share(scaled(20), { count: 500, passes: 0.2 })).toBeGreaterThanOrEqual(0.9)
    },
    limitFor(scaled(2))
  )

  test('says that the command never or always fails', () => {
    const unknown = { count: 20, isGoodKnown: false, isBadKnown: false }
    expect(play({ ...unknown, cause: 21 }, () => 0.5)).toMatchObject({ end: { state: 'never-failed' }, probes: 1 })
    expect(play({ ...unknown, cause: -1 }, () => 0.5).end).toEqual({ state: 'always-failed' })
    expect(play({ ...unknown, count: 0, cause: -1 }, () => 0.5).end).toEqual({ state: 'always-failed' })
    expect(play({ ...unknown, count: 0, cause: 5 }, () => 0.5).end).toEqual({ state: 'never-failed' })
  })

  test('finds a pass from the end where the oldest position fails for another reason', () => {
    const search = createSearch({ count: 100, boundaries: [], isGoodKnown: false, isBadKnown: false })
    for (let end = search.end(); !end; end = search.end())
      for (const i of search.next([], 1)) search.report(i, i < 30 || i >= 90 ? 'bad' : 'good')
    expect(search.end()).toMatchObject({ state: 'found', change: 90 })
  })
})

describe('the smallest part of a change', () => {
  test('[BI-6] fails, and without any part of it passes', async () => {
    const cases = fc.integer({ min: 1, max: 40 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        cause: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 4 })
      })
    )
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, cause }) => {
        const parts = Array.from({ length: count }, (_, n) => n)
        const found = await minimize(parts, async (some) => (cause.every((n) => some.includes(n)) ? 'bad' : 'good'))
        expect(found).toEqual({ parts: cause.toSorted((a, b) => a - b), isMinimal: true })
      }),
      { numRuns: scaled(100) }
    )
  })

  test('[BI-6] takes 40 probes at the median for 40 parts', async () => {
    const counts: number[] = []
    for (let seed = 0; seed < 300; seed++) {
      const next = random(SEED + seed)
      const cause = Array.from({ length: 1 + (seed % 3) }, () => Math.floor(next() * 40))
      let probes = 0
      await minimize(
        Array.from({ length: 40 }, (_, n) => n),
        async (some) => {
          probes++
          return cause.every((n) => some.includes(n)) ? 'bad' : 'good'
        }
      )
      counts.push(probes)
    }
    expect(counts.sort((a, b) => a - b)[150]).toBeLessThanOrEqual(40)
  })
})
