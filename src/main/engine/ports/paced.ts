/** For work that takes longer the more there is, and that calls ask for again and again. */

/** Of the time of a thread. */
const SHARE = 1 / 20

/**
 * Until when the result of work that has just been done serves, so that the work takes a twentieth of the time at most.
 * Both: `performance.now()`.
 */
export function servesUntil(began: number): number {
  const now = performance.now()
  return now + (now - began) * (1 / SHARE - 1)
}
