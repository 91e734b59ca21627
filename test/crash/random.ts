/** Random choices from a seed. */

export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  chance(likely: number): boolean
  pick<T>(from: readonly T[]): T
  some<T>(from: readonly T[], most: number): T[]
  weighted<T>(choices: readonly (readonly [number, T])[]): T
}

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  return {
    below,
    pick,
    chance: (likely) => next() < likely,
    some: (from, most) => from.toSorted(() => next() - 0.5).slice(0, most),
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return (choices.at(-1) as (typeof choices)[number])[1]
    }
  }
}
