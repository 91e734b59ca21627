/** Repeating timers that are cancelled together. */
import type { Clock } from './clock.ts'

export interface Timers {
  /** Runs `work` every `ms`, first after `ms`. The next wait starts when `work` returns, so runs never overlap. */
  every(ms: number, work: () => void): void
  cancel(): void
}

export function createTimers(clock: Clock): Timers {
  const cancels: (() => void)[] = []
  let cancelled = false
  return {
    every: (ms, work) => {
      let cancel = (): void => {}
      const schedule = (): void => {
        cancel = clock.setTimeout(() => {
          if (cancelled) return
          work()
          schedule()
        }, ms)
      }
      schedule()
      cancels.push(() => cancel())
    },
    cancel: () => {
      cancelled = true
      for (const cancel of cancels) cancel()
    }
  }
}
