/** An async mutex, first come first served: checks and restores of a workspace must not interleave. Not reentrant. */

export type Lock = ReturnType<typeof createLock>

export function createLock() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** Runs `body` after all earlier ones have settled. */
    run: <T>(body: () => Promise<T>): Promise<T> => {
      const next = last.then(body, body)
      last = next.catch(() => {})
      return next
    }
  }
}
