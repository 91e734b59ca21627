/** Waiting for a moment in which the page has nothing else to do. */

/** The longest wait of a turn, ms: on a busy computer, or in a hidden tab, there may be no such moment. */
const MAX_WAIT_MS = 50

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves after the next frame, in its free time; of several callers one in each frame. Work that is divided by it
 * leaves the frames of a scroll their time.
 */
export function freeTime(): Promise<void> {
  lastTurn = lastTurn.then(nextTurn)
  return lastTurn
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, MAX_WAIT_MS)
    requestAnimationFrame(() =>
      requestIdleCallback(() => {
        clearTimeout(late)
        resolve()
      })
    )
  })
}

/** Calls `work` when the page is painted and has nothing else to do, or is busy for long. Returns what cancels it. */
export function whenIdle(work: () => void): () => void {
  let idle = 0
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      idle = requestIdleCallback(work, { timeout: MAX_WAIT_MS })
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    cancelIdleCallback(idle)
  }
}
