/**
 * The search for the change after which a command fails. Pure: it says which positions to try and takes their results.
 *
 * Position i is the folder after the first i of `count` changes; the command is taken to pass at 0 and to fail at `count`,
 * which is tried first where nobody said so. Then the middle, among the boundaries between groups while there are any, until
 * the changes are two neighbours. A lucky or unlucky result would lead anywhere, so both neighbours are repeated, but not an
 * end that the caller knows, and then whatever tells most (posterior.ts), until the answer would be likely of a flaky command,
 * too. That takes two repeats for half of the causes and three for most others: more where many changes passed, or failed, in a row.
 * A result that disagrees with another shows that the command is flaky. From then on positions are chosen by what they tell,
 * until one cause is likely enough.
 */
import type { ProbeResult } from '../../../contract/bisect.ts'
import { likeliest, mostTelling, posteriorOf } from './posterior.ts'

export interface SearchOptions {
  /** Number of changes. */
  readonly count: number
  /** Positions between two groups of changes, in order, without 0 and `count`. */
  readonly boundaries: readonly number[]
  /** The caller knows that the command passes at 0, that it fails at `count`. */
  readonly isGoodKnown: boolean
  readonly isBadKnown: boolean
}

export type SearchEnd =
  | { readonly state: 'found'; readonly change: number; readonly confidence: number }
  /** Flaky: the likeliest cause. After skipped positions: none, it is between `good` and `bad`. */
  | { readonly state: 'unclear'; readonly change: number | null; readonly confidence: number }
  | { readonly state: 'never-failed' | 'always-failed' }

type SearchPhase = 'ends' | 'search' | 'confirm'

/** A cause this likely is the answer of a flaky command. */
const ENOUGH = 0.99
/** How likely the cause of a command that gave no two results would be if it were flaky. */
const ENOUGH_IF_FLAKY = 0.78
/** Results after which a flaky search gives up, skipped positions not counted. */
const MOST_RESULTS = 60

export type Search = ReturnType<typeof createSearch>

export function createSearch({ count, boundaries, isGoodKnown, isBadKnown }: SearchOptions) {
  const tallies = new Map<number, { good: number; bad: number }>()
  const skipped = new Set<number>()
  /** The lowest position that counts: one where the command passes, once that is known. */
  let start = 0
  let hasGood = isGoodKnown
  let good = 0
  let bad = count
  let results = 0
  /** Two results disagree. */
  let isFlaky = false
  /** Without a pass at 0, one is looked for this far before the end. */
  let stride = 1

  const resultsAt = (i: number): number => (tallies.get(i)?.good ?? 0) + (tallies.get(i)?.bad ?? 0)
  const isTried = (i: number): boolean => skipped.has(i) || tallies.has(i)
  const isOpen = (i: number): boolean => i > good && i < bad && !isTried(i)
  /** Boundaries first, then the changes of one group. */
  const open = (): number[] => {
    const between = boundaries.filter(isOpen)
    return between.length > 0 ? between : integers(good + 1, bad).filter(isOpen)
  }
  const isEndKnown = (i: number): boolean => (i === 0 && isGoodKnown) || (i === count && isBadKnown)
  const repeatsDue = (i: number): number => (isEndKnown(i) ? 0 : Math.max(0, 2 - resultsAt(i)))
  const posterior = (given?: { readonly isFlaky: boolean }) =>
    posteriorOf(
      count - start,
      new Map([...tallies].flatMap(([i, tally]) => (i < start ? [] : [[i - start, tally] as const]))),
      given?.isFlaky
    )

  const isRepeated = (change: number): boolean =>
    repeatsDue(good) + repeatsDue(bad) === 0 &&
    (posterior({ isFlaky: true }).causes[change - start] ?? 0) >= ENOUGH_IF_FLAKY

  const phase = (): SearchPhase => {
    if (isFlaky) return 'confirm'
    if (!hasGood || (!isBadKnown && resultsAt(count) === 0)) return 'ends'
    return open().length > 0 ? 'search' : 'confirm'
  }

  const end = (): SearchEnd | null => {
    if (!isBadKnown && !isFlaky && tallies.get(count)?.good) return { state: 'never-failed' }
    if (!isBadKnown && skipped.has(count)) return { state: 'unclear', ...NOTHING }
    if (!hasGood) {
      if (!isTried(0) || (stride < count && resultsAt(count) > 0)) return null
      return tallies.has(0) ? { state: 'always-failed' } : { state: 'unclear', ...NOTHING }
    }
    if (phase() !== 'confirm') return null
    if (!isFlaky && bad - good > 1) return { state: 'unclear', ...NOTHING }
    const best = likeliest(posterior())
    const change = best.change + start
    const { confidence } = best
    if (isFlaky ? confidence >= ENOUGH : isRepeated(change)) return { state: 'found', change, confidence }
    return results >= MOST_RESULTS ? { state: 'unclear', change, confidence } : null
  }

  const ends = (): number[] => {
    if (!isBadKnown && !isTried(count)) return hasGood || isTried(0) ? [count] : [count, 0]
    if (hasGood) return []
    if (!isTried(0)) return [0]
    return stride < count ? [count - stride] : []
  }

  const repeats = (running: readonly number[], free: number): number[] => {
    if (!isFlaky) {
      const due = [bad, good].filter((i) => repeatsDue(i) > running.filter((each) => each === i).length)
      if (due.length > 0 || running.length > 0) return due.slice(0, free)
    }
    const telling = mostTelling(posterior({ isFlaky: true }), (i) => !skipped.has(i + start))
    return telling === null ? [] : Array.from({ length: free }, () => telling + start)
  }

  return {
    /** At most `jobs` with those of `running`; the same position may be wanted again. Empty while results are awaited. */
    next: (running: readonly number[], jobs: number): number[] => {
      const free = jobs - running.length
      if (free <= 0 || end()) return []
      const fresh = (positions: readonly number[]): number[] => positions.filter((i) => !running.includes(i))
      switch (phase()) {
        case 'ends':
          return fresh(ends()).slice(0, free)
        case 'search':
          return spread(fresh(open()), free, [...skipped].filter((i) => i > good && i < bad).length, running.length)
        case 'confirm':
          return repeats(running, free)
      }
    },
    report: (i: number, result: ProbeResult): void => {
      if (!hasGood && i === count - stride && result !== 'good') stride *= 2
      if (result === 'skip') {
        skipped.add(i)
        return
      }
      results++
      const tally = tallies.get(i) ?? { good: 0, bad: 0 }
      tallies.set(i, { ...tally, [result]: tally[result] + 1 })
      if (result === 'good') {
        if (!hasGood && i < count) start = i
        hasGood ||= i < count
        if (resultsAt(i) > tally.good + 1 || (i >= bad && (i < count || isBadKnown))) isFlaky = true
        else if (i < bad) good = Math.max(good, i)
      } else {
        if (hasGood && i <= good) isFlaky = true
        else if (i > 0 || hasGood) bad = Math.min(bad, i)
      }
    },
    /** The answer; null while results are missing. */
    end,
    phase,
    /** Whether the result of a position that is being tried is still of use. */
    isUseful: (i: number): boolean => phase() !== 'search' || isOpen(i),
    /** The cause is after the first and at or before the second, as far as known. */
    bounds: (): { readonly good: number; readonly bad: number } => ({ good, bad }),
    /** About how many more results are needed. */
    left: (): number => {
      const { length } = open()
      if (phase() === 'confirm') return isFlaky ? 5 : Math.max(1, repeatsDue(good) + repeatsDue(bad))
      return Math.ceil(Math.log2(length + 1)) + 2
    }
  }
}

function integers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n)
}

const NOTHING = { change: null, confidence: 0 } as const

/**
 * Some of `open`, evenly spread. After skipped positions others than the exact middle, so that a row of positions where
 * the command cannot run is left soon.
 */
function spread(open: readonly number[], wanted: number, skips: number, running: number): number[] {
  const parts = wanted + running + 1
  const chosen = new Set<number>()
  for (let n = 1; n <= wanted; n++) {
    const fraction = skips === 0 ? (running + n) / parts : halton(skips + n)
    const at = Math.ceil(fraction * (open.length + 1)) - 1
    const position = open[Math.min(open.length - 1, Math.max(0, at))]
    if (position !== undefined) chosen.add(position)
  }
  return [...chosen]
}

/** A number between 0 and 1; these fill the range evenly: 1/2, 1/4, 3/4, 1/8, 5/8, … */
function halton(n: number): number {
  let [fraction, result] = [1, 0]
  for (let rest = n; rest > 0; rest >>= 1) {
    fraction /= 2
    result += fraction * (rest & 1)
  }
  return result
}
