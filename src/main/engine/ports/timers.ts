/** Work that is done again and again until it is cancelled. */
import type { Clock } from './clock.ts'

export interface Timers {
  /** Does `work` every `ms`, first after `ms`. The next wait begins when `work` returns. */
  every(ms: number, work: () => void): void
  cancel(): void
}

export function createTimers(clock: Clock): Timers {
  const cancels: (() => void)[] = []
  let cancelled = false
  return {
    every: (ms, work) => {
      let cancel = (): void => {}
      const again = (): void => {
        cancel = clock.setTimeout(() => {
          if (cancelled) return
          work()
          again()
        }, ms)
      }
      again()
      cancels.push(() => cancel())
    },
    cancel: () => {
      cancelled = true
      for (const cancel of cancels) cancel()
    }
  }
}
