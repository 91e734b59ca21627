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
import { createEvidence } from './evidence.ts'

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
/** Results after which a flaky search gives up, skipped positions not counted. */
const MOST_RESULTS = 60

export type Search = ReturnType<typeof createSearch>

export function createSearch(options: SearchOptions) {
  const { count, boundaries, isBadKnown } = options
  const evidence = createEvidence(options)
  const { hasGood, isFlaky, isTried, isOpen, resultsAt, repeatsDue } = evidence
  /** Without a pass at 0, one is looked for this far before the end. */
  let stride = 1

  /** Boundaries first, then the changes of one group. */
  const open = (): number[] => {
    const { good, bad } = evidence.bounds()
    const between = boundaries.filter(isOpen)
    return between.length > 0 ? between : integers(good + 1, bad).filter(isOpen)
  }
  const phase = (): SearchPhase => {
    if (isFlaky()) return 'confirm'
    if (!hasGood() || (!isBadKnown && resultsAt(count) === 0)) return 'ends'
    return open().length > 0 ? 'search' : 'confirm'
  }
  const end = (): SearchEnd | null => {
    if (!isBadKnown && !isFlaky() && evidence.hasPassed(count)) return { state: 'never-failed' }
    if (!isBadKnown && evidence.isSkipped(count)) return { state: 'unclear', ...NOTHING }
    if (!hasGood()) {
      if (!isTried(0) || (stride < count && resultsAt(count) > 0)) return null
      return resultsAt(0) > 0 ? { state: 'always-failed' } : { state: 'unclear', ...NOTHING }
    }
    if (phase() !== 'confirm') return null
    const { good, bad } = evidence.bounds()
    if (!isFlaky() && bad - good > 1) return { state: 'unclear', ...NOTHING }
    const best = evidence.likeliest()
    const isEnough = isFlaky() ? best.confidence >= ENOUGH : evidence.isConfirmed(best.change)
    if (isEnough) return { state: 'found', ...best }
    return evidence.results() >= MOST_RESULTS ? { state: 'unclear', ...best } : null
  }

  const ends = (): number[] => {
    if (!isBadKnown && !isTried(count)) return hasGood() || isTried(0) ? [count] : [count, 0]
    if (hasGood()) return []
    if (!isTried(0)) return [0]
    return stride < count ? [count - stride] : []
  }
  const repeats = (running: readonly number[], free: number): number[] => {
    if (!isFlaky()) {
      const { good, bad } = evidence.bounds()
      const due = [bad, good].filter((i) => repeatsDue(i) > running.filter((each) => each === i).length)
      if (due.length > 0 || running.length > 0) return due.slice(0, free)
    }
    const telling = evidence.mostTelling()
    return telling === null ? [] : Array.from({ length: free }, () => telling)
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
          return spread(fresh(open()), free, evidence.skippedBetween(), running.length)
        case 'confirm':
          return repeats(running, free)
      }
    },
    report: (i: number, result: ProbeResult): void => {
      if (!hasGood() && i === count - stride && result !== 'good') stride *= 2
      evidence.record(i, result)
    },
    /** The answer; null while results are missing. */
    end,
    phase,
    /** Whether the result of a position that is being tried is still of use. */
    isUseful: (i: number): boolean => phase() !== 'search' || isOpen(i),
    bounds: evidence.bounds,
    /** About how many more results are needed. */
    left: (): number => {
      if (phase() !== 'confirm') return Math.ceil(Math.log2(open().length + 1)) + 2
      const { good, bad } = evidence.bounds()
      return isFlaky() ? 5 : Math.max(1, repeatsDue(good) + repeatsDue(bad))
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
