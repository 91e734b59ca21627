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

const FLAKY_RATES = RATES.filter(({ a, b }) => a > NEVER || b > NEVER)

interface Posterior {
  /** [c] of the change c, from 1 to `count`; [0] is 0. They add up to 1. */
  readonly causes: Float64Array
  /** Mean rates. */
  readonly a: number
  readonly b: number
}

/** Changes between two neighbours of the tried positions: no result tells them apart. */
interface Span {
  readonly first: number
  readonly size: number
}

type Quadruple = [number, number, number, number]

/**
 * `tallies` by position, from 0 to `count`. `isFlaky`: the command is taken to be flaky, whatever the results say.
 * O(count + results).
 */
export function posteriorOf(count: number, tallies: ReadonlyMap<number, Tally>, isFlaky = false): Posterior {
  const rates = isFlaky ? FLAKY_RATES : RATES
  const positions = [...tallies].sort(([i], [j]) => i - j)
  const spans = spansBetween(positions, count)
  const logs = rates.map((each) => logLikelihoods(spans, positions, each))
  const highest = Math.max(...logs.flat())
  const likelihoods = logs.map((log) => log.map((each) => Math.exp(each - highest)))
  const weights = likelihoods.map((each) => each.reduce((sum, p, n) => sum + p * (spans[n] as Span).size, 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (rate: 'a' | 'b'): number =>
    rates.reduce((sum, each, n) => sum + (each[rate] * (weights[n] as number)) / total, 0)
  const causes = new Float64Array(count + 1)
  for (const [n, { first, size }] of spans.entries()) {
    const p = likelihoods.reduce((sum, each) => sum + (each[n] as number), 0)
    causes.fill(p / total, first, first + size)
  }
  return { causes, a: mean('a'), b: mean('b') }
}

function spansBetween(positions: readonly [number, Tally][], count: number): Span[] {
  const ends = [...positions.map(([i]) => i).filter((i) => i > 0 && i < count), count]
  return ends.map((end, n) => ({ first: (ends[n - 1] ?? 0) + 1, size: end - (ends[n - 1] ?? 0) }))
}

/** Of a cause in each span. */
function logLikelihoods(spans: readonly Span[], positions: readonly [number, Tally][], { a, b, prior }: Rates) {
  const [failsBefore, passesBefore, failsAfter, passesAfter] = [a, 1 - a, 1 - b, b].map(Math.log) as Quadruple
  const before = ({ good, bad }: Tally): number => good * passesBefore + bad * failsBefore
  const after = ({ good, bad }: Tally): number => good * passesAfter + bad * failsAfter
  let sum = positions.reduce((part, [, tally]) => part + after(tally), Math.log(prior))
  let next = 0
  // From one span to the next, only the position between them moves from after the cause to before it.
  return spans.map(({ first }) => {
    for (let entry = positions[next]; entry && entry[0] < first; entry = positions[++next])
      sum += before(entry[1]) - after(entry[1])
    return sum
  })
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
