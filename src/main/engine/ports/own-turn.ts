/** Spreads work that holds the thread over turns of the event loop: between two pieces of it, everything else continues. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Returns a function whose results resolve one after the other, each in a turn of its own. */
export function createOwnTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => nextTurn())
    return last
  }
}
