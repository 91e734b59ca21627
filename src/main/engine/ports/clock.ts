/** Time as a port: code that waits or takes timestamps gets a Clock, so that tests control it. */

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
