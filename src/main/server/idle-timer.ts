/** Decides when an unused headless host exits. */

/** Time without a client before the host exits, ms. */
const IDLE_MS = 60_000

export interface IdleTimer {
  /** Must be called whenever the number of browsers or of clients on the local socket changes. */
  update(connected: { readonly browsers: number; readonly socketClients: number }): void
  stop(): void
}

/**
 * Calls `onIdle` once no client has been connected for `idleMs`. The timer starts only after a first browser. Clients of the
 * local socket keep the host running, but do not count as that first one.
 */
export function startIdleTimer(onIdle: () => void, idleMs = IDLE_MS): IdleTimer {
  let hadBrowser = false
  let timer: NodeJS.Timeout | undefined
  return {
    update({ browsers, socketClients }) {
      if (browsers > 0) hadBrowser = true
      clearTimeout(timer)
      timer = hadBrowser && browsers + socketClients === 0 ? setTimeout(onIdle, idleMs) : undefined
    },
    stop() {
      clearTimeout(timer)
    }
  }
}
