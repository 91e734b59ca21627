/** Calls `onIdle` once there has been no client for a time, by default `ms`. */
export function createIdleTimer(ms: number, onIdle: () => void) {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  return {
    /** Must be called whenever the number of clients changes; starts anew at 0. */
    update(clients: number, afterMs = ms): void {
      clearTimeout(timer)
      timer = clients === 0 && !stopped ? setTimeout(onIdle, afterMs) : undefined
    },
    /** For good: clients that are disconnected at the end start nothing that keeps the process alive. */
    stop(): void {
      stopped = true
      clearTimeout(timer)
    }
  }
}
