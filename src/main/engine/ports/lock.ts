/** One at a time: work on a workspace that must not interleave (checks, restores) queues here, in order. */

export interface Lock {
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
