/** The results of a search: between which positions they place the cause, whether they disagree, and how likely each cause is. */
import type { ProbeResult } from '../../../contract/bisect.ts'
import { likeliest, mostTelling, posteriorOf } from './posterior.ts'

interface EvidenceOptions {
  /** Number of changes. */
  readonly count: number
  /** The caller knows that the command passes at 0, that it fails at `count`. */
  readonly isGoodKnown: boolean
  readonly isBadKnown: boolean
}

/** How likely the cause of a command that gave no two results would be if it were flaky. */
const ENOUGH_IF_FLAKY = 0.78

export function createEvidence({ count, isGoodKnown, isBadKnown }: EvidenceOptions) {
  const tallies = new Map<number, { good: number; bad: number }>()
  const skipped = new Set<number>()
  /** The lowest position that counts: one where the command passes, once that is known. */
  let start = 0
  let hasGood = isGoodKnown
  let good = 0
  let bad = count
  let results = 0
  let isFlaky = false

  const tallyAt = (i: number) => tallies.get(i) ?? { good: 0, bad: 0 }
  const resultsAt = (i: number): number => tallyAt(i).good + tallyAt(i).bad
  const isEndKnown = (i: number): boolean => (i === 0 && isGoodKnown) || (i === count && isBadKnown)
  const repeatsDue = (i: number): number => (isEndKnown(i) ? 0 : Math.max(0, 2 - resultsAt(i)))
  const posterior = (given?: { readonly isFlaky: boolean }) =>
    posteriorOf(
      count - start,
      new Map([...tallies].flatMap(([i, tally]) => (i < start ? [] : [[i - start, tally] as const]))),
      given?.isFlaky
    )

  return {
    record: (i: number, result: ProbeResult): void => {
      if (result === 'skip') {
        skipped.add(i)
        return
      }
      results++
      const tally = tallyAt(i)
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
    /** The cause is after the first and at or before the second, as far as known. */
    bounds: (): { readonly good: number; readonly bad: number } => ({ good, bad }),
    /** The command passes at a position that is known. */
    hasGood: (): boolean => hasGood,
    /** Two results disagree. */
    isFlaky: (): boolean => isFlaky,
    /** Of all positions, skipped ones not counted. */
    results: (): number => results,
    resultsAt,
    hasPassed: (i: number): boolean => tallyAt(i).good > 0,
    isSkipped: (i: number): boolean => skipped.has(i),
    isTried: (i: number): boolean => skipped.has(i) || tallies.has(i),
    /** Strictly between the bounds, and not tried. */
    isOpen: (i: number): boolean => i > good && i < bad && !skipped.has(i) && !tallies.has(i),
    skippedBetween: (): number => [...skipped].filter((i) => i > good && i < bad).length,
    /** How often a bound has to be tried again before the answer. */
    repeatsDue,
    /** Whether both bounds were repeated, and the answer would be likely of a flaky command, too. */
    isConfirmed: (change: number): boolean =>
      repeatsDue(good) + repeatsDue(bad) === 0 &&
      (posterior({ isFlaky: true }).causes[change - start] ?? 0) >= ENOUGH_IF_FLAKY,
    likeliest: (): { readonly change: number; readonly confidence: number } => {
      const { change, confidence } = likeliest(posterior())
      return { change: change + start, confidence }
    },
    /** The position whose result tells most of a flaky command; null if none does. */
    mostTelling: (): number | null => {
      const telling = mostTelling(posterior({ isFlaky: true }), (i) => !skipped.has(i + start))
      return telling === null ? null : telling + start
    }
  }
}
