/**
 * Changed paths that a scan found and no event has reported yet: their events are late, or were lost.
 *
 * Invariant: while paths are awaited, one verdict is pending; it forgets them all and reports a loss if any is left.
 */
import { isWithin } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'

/** Longer than any system delays an event. */
const LATE_EVENT_MS = 5_000

export function createLateEvents(clock: Clock) {
  const awaited = new Set<string>()
  let cancelVerdict: (() => void) | null = null

  return {
    pathChanged: (path: string) => void awaited.delete(path),
    treeChanged(folder: string) {
      for (const path of awaited) if (isWithin(path, folder)) awaited.delete(path)
    },
    /** Calls `onLost` after 5 s unless an event reported each path. While a verdict is pending, nothing is added. */
    expect(paths: readonly string[], onLost: () => void) {
      if (cancelVerdict || paths.length === 0) return
      for (const path of paths) awaited.add(path)
      cancelVerdict = clock.setTimeout(() => {
        cancelVerdict = null
        const isLost = awaited.size > 0
        awaited.clear()
        if (isLost) onLost()
      }, LATE_EVENT_MS)
    },
    close: () => cancelVerdict?.()
  }
}
