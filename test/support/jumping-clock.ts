/** A clock for tests: stands still until it is told to jump; then whatever is due runs once, however long the jump was. */
import type { Clock } from '../../src/main/engine/ports/clock.ts'

export interface JumpingClock extends Clock {
  jump(ms: number): void
}

export function jumpingClock(): JumpingClock {
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
