/** Bounded concurrency. */

/**
 * Runs `work` for each item, at most `limit` at once. After a failure it starts no more, waits for the running ones,
 * and throws the first error.
 */
export async function inParallel<T>(
  list: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    while (next < list.length && failures.length === 0) {
      const item = list[next++] as T
      try {
        await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, lane))
  if (failures.length > 0) throw failures[0]
}
