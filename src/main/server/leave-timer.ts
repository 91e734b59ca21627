/** Decides when a headless host that nobody stays with leaves by itself. */

/** How long it waits after its last client, in ms. */
const PATIENCE = 60_000

export interface LeaveTimer {
  /** Tells how many browsers and how many callers of the local socket there are now. */
  clients(now: { readonly browsers: number; readonly callers: number }): void
  stop(): void
}

/**
 * Calls `leave` once nobody has been connected for a minute. It waits for a first browser however long that takes;
 * callers of the local socket keep a host but are not what it was started for.
 */
export function leaveTimer(leave: () => void, patience = PATIENCE): LeaveTimer {
  let seen = false
  let timer: NodeJS.Timeout | undefined
  return {
    clients({ browsers, callers }) {
      if (browsers > 0) seen = true
      clearTimeout(timer)
      timer = seen && browsers + callers === 0 ? setTimeout(leave, patience) : undefined
    },
    stop() {
      clearTimeout(timer)
    }
  }
}
