/** Lets other work of this thread in: long loops call the returned function and await what it gives. */

/** Gives a promise when the loop has had the thread for `ms`, else undefined. */
export function createTimeSlicer(ms: number): () => Promise<void> | undefined {
  // Not `performance`: its first use loads a module, and every hook would pay for that.
  let since = process.hrtime()
  return () => {
    const [seconds, nanoseconds] = process.hrtime(since)
    if (seconds * 1e3 + nanoseconds / 1e6 < ms) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = process.hrtime()
        resolve()
      })
    )
  }
}
