/** Which steps of random histories had an effect, so that a test can say that it tried each of them. */

export interface Tally {
  /** It had an effect. */
  did(step: string): void
  /** Of these, those that never had one. */
  never(steps: readonly string[]): string[]
}

export function tally(): Tally {
  const done = new Set<string>()
  return {
    did: (step) => void done.add(step),
    never: (steps) => steps.filter((step) => !done.has(step))
  }
}
