/** An async mutex, first come first served: checks and restores of a workspace must not interleave. Not reentrant. */

export interface Lock {
  /** Runs `body` after all earlier ones have settled. */
  run<T>(body: () => Promise<T>): Promise<T>
}

export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run: (body) => {
      const next = last.then(body, body)
      last = next.catch(() => {})
      return next
    }
  }
}
