/** How many histories are played and from which seed (DRIFTLINE_HISTORIES, DRIFTLINE_FC_SEED), and a tally of what they did. */

export const HISTORIES = Number(process.env.DRIFTLINE_HISTORIES ?? 100)
export const SEED = Number(process.env.DRIFTLINE_FC_SEED ?? Date.now() % 2 ** 31)
export const TIMEOUT = 600_000 + HISTORIES * 2000

export interface Tally {
  /** It had an effect. */
  did(step: string): void
  /** Of these, those that never had one; nothing is said of few histories. */
  never(steps: readonly string[]): string[]
}

export function tally(): Tally {
  const done = new Set<string>()
  return {
    did: (step) => void done.add(step),
    never: (steps) => (HISTORIES < 100 ? [] : steps.filter((step) => !done.has(step)))
  }
}
