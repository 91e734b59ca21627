/** Recognises the end of a burst of events, for backends that deliver events of different folders in no order. */
import type { Clock } from '../ports/clock.ts'

/** Where events of different folders keep no order: one that is not reported within this time after another is late, ms. */
const QUIET_MS = 50
/** A folder that never gets quiet is waited for so long, ms. */
const MAX_QUIET_MS = 300

export function createQuiet(clock: Clock) {
  /** Number of events so far. */
  let events = 0

  return {
    event(): void {
      events++
    },
    /** Resolves when no event came for a moment, at the latest after 300 ms. */
    async wait(): Promise<void> {
      const end = clock.now() + MAX_QUIET_MS
      let before: number
      do {
        before = events
        await new Promise<void>((resolve) => void clock.setTimeout(resolve, QUIET_MS))
      } while (events !== before && clock.now() < end)
    }
  }
}
