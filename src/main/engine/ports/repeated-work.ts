/** Work that many ask for: it runs once at a time, and once more if it was requested after it began. */

export interface RepeatedWork {
  /**
   * Starts it, after the caller's own work. Resolves when it has run since this request, or was closed; never rejects.
   */
  request(): Promise<void>
  /** Starts it no more. Resolves when it does not run any more. */
  close(): Promise<void>
}

/** What the work can ask while it runs. */
interface Meanwhile {
  readonly isClosed: () => boolean
  /** It will run once more. */
  readonly isRequested: () => boolean
}

export function createRepeatedWork(
  work: (meanwhile: Meanwhile) => Promise<void>,
  onError: (error: unknown) => void
): RepeatedWork {
  let isDue = false
  let closed = false
  let running: Promise<void> | null = null

  const meanwhile: Meanwhile = { isClosed: () => closed, isRequested: () => isDue && !closed }
  const runWhileDue = async (): Promise<void> => {
    await null
    while (isDue && !closed) {
      isDue = false
      try {
        await work(meanwhile)
      } catch (error) {
        onError(error)
      }
    }
    // In the same turn as the last look at `isDue`: a request comes before it or starts a new run.
    running = null
  }
  return {
    request: () => {
      if (closed) return Promise.resolve()
      isDue = true
      running ??= runWhileDue()
      return running
    },
    close: async () => {
      closed = true
      await running
    }
  }
}
