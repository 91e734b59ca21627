/** The attempts to connect to a host: which of them counts, and when the next one is made. */

/** The first is after a loss: the network may be there already. */
const PAUSES_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const

interface StartedAttempt {
  /** Whether it is the one that counts: what an older one still does is dropped. */
  isCurrent(): boolean
  end(): void
}

export function createAttempts() {
  /** Its end. */
  let current: Promise<void> | null = null
  const settled = async (): Promise<void> => {
    const last = current
    await last
    if (current !== last) await settled()
  }
  return {
    begin(): StartedAttempt {
      const { promise, resolve } = Promise.withResolvers<void>()
      current = promise
      return { isCurrent: () => current === promise, end: resolve }
    },
    /** None counts any more. */
    drop(): void {
      current = null
    },
    /** Resolves when none is being made. */
    settled
  }
}

/** When to try again: after pauses that grow while attempts fail. */
export function createRetries() {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const afterLoss = (connect: () => void): void => {
    timer = setTimeout(connect, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)])
    timer.unref()
  }
  return {
    afterLoss,
    afterFailure(connect: () => void): void {
      failures = Math.max(failures, 1)
      afterLoss(connect)
    },
    reset(): void {
      failures = 0
    },
    cancel: (): void => clearTimeout(timer)
  }
}
