/**
 * How likely each change is the cause, given results of which some may be due to chance. Pure.
 *
 * Position i is the folder after the first i changes. If change c is the cause, a command that is not flaky passes at every
 * position before c and fails from c on. A flaky one fails by chance before c with a rate `a`, or passes by chance from c on
 * with a rate `b`; both are unknown, so a grid of them is weighed by how well it explains the results.
 */

/** Results at one position. */
export interface Tally {
  readonly good: number
  readonly bad: number
}

interface Rates {
  /** Fails though the cause is not applied. */
  readonly a: number
  /** Passes though it is. */
  readonly b: number
  readonly prior: number
}

/** Most commands are not flaky; most of those that are fail by chance and never pass by chance. */
const EXACT_PRIOR = 0.65
const NEVER = 1e-6
const STEPS = [0.03, 0.1, 0.2, 0.3, 0.4]

const RATES: readonly Rates[] = [
  { a: NEVER, b: NEVER, prior: EXACT_PRIOR },
  ...STEPS.map((a) => ({ a, b: NEVER, prior: ((1 - EXACT_PRIOR) * 0.5) / STEPS.length })),
  ...STEPS.map((b) => ({ a: NEVER, b, prior: ((1 - EXACT_PRIOR) * 0.3) / STEPS.length })),
  ...STEPS.flatMap((a) => STEPS.map((b) => ({ a, b, prior: ((1 - EXACT_PRIOR) * 0.2) / STEPS.length ** 2 })))
]

export interface Posterior {
  /** [c] of the change c, from 1 to `count`; [0] is 0. They add up to 1. */
  readonly causes: Float64Array
  /** Mean rates. */
  readonly a: number
  readonly b: number
}

/** `tallies` by position, from 0 to `count`. O(count). */
export function posteriorOf(count: number, tallies: ReadonlyMap<number, Tally>): Posterior {
  const positions = [...tallies].sort(([i], [j]) => i - j)
  const logs = RATES.map((rates) => logLikelihoods(count, positions, rates))
  let highest = Number.NEGATIVE_INFINITY
  for (const log of logs) for (let c = 1; c <= count; c++) highest = Math.max(highest, log[c] as number)
  const causes = new Float64Array(count + 1)
  const weights = logs.map((log) => {
    let weight = 0
    for (let c = 1; c <= count; c++) {
      const p = Math.exp((log[c] as number) - highest)
      causes[c] = (causes[c] as number) + p
      weight += p
    }
    return weight
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (rate: 'a' | 'b'): number =>
    RATES.reduce((sum, rates, n) => sum + (rates[rate] * (weights[n] as number)) / total, 0)
  for (let c = 1; c <= count; c++) causes[c] = (causes[c] as number) / total
  return { causes, a: mean('a'), b: mean('b') }
}

function logLikelihoods(count: number, positions: readonly [number, Tally][], { a, b, prior }: Rates): Float64Array {
  const before = ({ good, bad }: Tally): number => good * Math.log(1 - a) + bad * Math.log(a)
  const after = ({ good, bad }: Tally): number => good * Math.log(b) + bad * Math.log(1 - b)
  // From change c to the next only the position c moves from after the cause to before it.
  let sum = Math.log(prior) + positions.reduce((part, [i, tally]) => part + (i === 0 ? before(tally) : after(tally)), 0)
  const log = new Float64Array(count + 1)
  let next = positions.findIndex(([i]) => i > 0)
  for (let c = 1; c <= count; c++) {
    log[c] = sum
    const entry = next < 0 ? undefined : positions[next]
    if (entry && entry[0] === c) {
      sum += before(entry[1]) - after(entry[1])
      next++
    }
  }
  return log
}

/** The most likely cause. */
export function likeliest({ causes }: Posterior): { readonly change: number; readonly confidence: number } {
  let change = 1
  for (let c = 2; c < causes.length; c++) if ((causes[c] as number) > (causes[change] as number)) change = c
  return { change, confidence: causes[change] ?? 0 }
}

/**
 * The position whose result is expected to say most about the cause: the one with the greatest mutual information between
 * the two (as in probabilistic bisection, M. Horstein 1963). Null when `isUsable` holds for none.
 */
export function mostTelling({ causes, a, b }: Posterior, isUsable: (position: number) => boolean): number | null {
  let best: number | null = null
  let most = Number.NEGATIVE_INFINITY
  let applied = 0
  for (let i = 0; i < causes.length; i++) {
    applied += causes[i] as number
    if (!isUsable(i)) continue
    const p = Math.min(1, applied)
    const information = entropy(p * (1 - b) + (1 - p) * a) - p * entropy(b) - (1 - p) * entropy(a)
    if (information > most + 1e-12) {
      most = information
      best = i
    }
  }
  return best
}

function entropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p)
}
