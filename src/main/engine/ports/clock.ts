/** Time as a port: code that waits or takes timestamps gets a Clock, so that tests control it. */

export interface Clock {
  /** Milliseconds UTC. */
  now(): number
  /** Calls `fn` once after `ms`, soon if that is negative; the returned function cancels it. */
  setTimeout(fn: () => void, ms: number): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    // Node warns about a negative one.
    const timer = setTimeout(fn, Math.max(0, ms))
    return () => clearTimeout(timer)
  }
}
