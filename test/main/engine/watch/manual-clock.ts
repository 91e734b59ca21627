/** A clock that advances only when a test moves it. */
import type { Clock } from '../../../../src/main/engine/ports/clock.ts'

export interface ManualClock extends Clock {
  /** Advances time and runs the timers that are due, in order. */
  advance(ms: number): void
}

export function manualClock(): ManualClock {
  let now = 1_000_000
  let timers: { due: number; fn: () => void }[] = []
  return {
    now: () => now,
    setTimeout(fn, ms) {
      const timer = { due: now + ms, fn }
      timers.push(timer)
      return () => {
        timers = timers.filter((pending) => pending !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0]
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        now = next.due
        next.fn()
      }
      now = end
    }
  }
}
