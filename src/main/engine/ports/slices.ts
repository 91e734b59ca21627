/** Lets other work of this thread in: long loops call the returned function and await what it gives. */

/** Gives a promise when the loop has had the thread for `ms`, else undefined. */
export function slices(ms: number): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < ms) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      })
    )
  }
}
