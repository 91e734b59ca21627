/** Cooperative pauses: a long loop calls the slicer each round and awaits the promise it returns. */

/** The slicer returns a promise once the loop has held the thread for `ms`, else undefined. */
export function createTimeSlicer(ms: number): () => Promise<void> | undefined {
  // Not `performance`: its first use loads a module, which would delay every hook.
  let sliceStart = process.hrtime()
  return () => {
    const [seconds, nanoseconds] = process.hrtime(sliceStart)
    if (seconds * 1e3 + nanoseconds / 1e6 < ms) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        sliceStart = process.hrtime()
        resolve()
      })
    )
  }
}
