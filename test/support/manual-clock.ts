/** A clock for tests that advances only on request. A timer that is due then runs once, however far the clock advanced. */
import type { Clock } from '../../src/main/engine/ports/clock.ts'

export interface ManualClock extends Clock {
  jump(ms: number): void
}

export function createManualClock(): ManualClock {
  let now = 1_700_000_000_000
  let timers: { due: number; fn: () => void }[] = []
  return {
    now: () => now,
    setTimeout: (fn, ms) => {
      const timer = { due: now + ms, fn }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    jump: (ms) => {
      now += ms
      const due = timers.filter((one) => one.due <= now)
      timers = timers.filter((one) => one.due > now)
      for (const { fn } of due) fn()
    }
  }
}
