/** Requests to end this process, for commands that have something to remove first. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** From now on such a signal calls `act` and does not end the process. Returns a function that stops that. */
export function onEndSignal(act: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, act)
  return () => {
    for (const signal of SIGNALS) process.off(signal, act)
  }
}
