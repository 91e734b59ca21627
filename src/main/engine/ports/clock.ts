/** Time as a port: what waits or stamps takes a clock, so that tests can hold it still. */

export interface Clock {
  /** Milliseconds UTC. */
  now(): number
  /** Calls `fn` once after `ms`; the returned function cancels it. */
  setTimeout(fn: () => void, ms: number): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  }
}
