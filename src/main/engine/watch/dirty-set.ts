/**
 * Collects dirty paths between two checks, in bounded memory, and notifies after a burst of events: when it was quiet
 * for a moment, or at the latest some time after its first event.
 */
import { foldersAbove } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'

/** Root-relative, '/'-separated. Tree '' is the whole folder. 'all': events may have been lost, so a scan is needed. */
export type Dirty = { paths: Set<string>; trees: Set<string> } | 'all'

const QUIET_MS = 100
const MAX_DELAY_MS = 400
/** Above this a scan is cheaper than comparing single paths, and memory stays bounded. */
const MAX_PATHS = 50_000

export function createDirtySet(clock: Clock) {
  let paths = new Set<string>()
  let trees = new Set<string>()
  // Nothing is known before the first scan.
  let lost = true
  const listeners: (() => void)[] = []
  let cancel: (() => void) | null = null
  let firstEventAt = 0
  let lastEventAt = 0
  /** When a check first had to wait for the end of a burst, ms. */
  let waitsSince: number | null = null

  const fire = () => {
    const now = clock.now()
    const due = Math.min(lastEventAt + QUIET_MS, firstEventAt + MAX_DELAY_MS)
    if (now < due) {
      cancel = clock.setTimeout(fire, due - now)
      return
    }
    cancel = null
    for (const listener of listeners) listener()
  }
  /**
   * Notifies the listeners as after an event. One timer per burst, re-armed when it fires: thousands of events share
   * it.
   */
  const announce = () => {
    lastEventAt = clock.now()
    if (cancel) return
    firstEventAt = lastEventAt
    cancel = clock.setTimeout(fire, QUIET_MS)
  }
  /**
   * Whether something may be written at this moment: most programs empty a file before they write it, and what is on disk
   * in between is nobody's version. A burst that goes on is waited for only so long.
   */
  const mustWait = (): boolean => {
    const now = clock.now()
    const isBurst = (paths.size > 0 || trees.size > 0) && now < lastEventAt + QUIET_MS
    waitsSince = isBurst ? (waitsSince ?? now) : null
    return waitsSince !== null && now < waitsSince + MAX_DELAY_MS
  }
  /** Events were lost: `take` returns 'all' up to the first call with `keepLost` false. Notifies nobody. */
  const markLost = () => {
    lost = true
    paths.clear()
    trees.clear()
  }

  return {
    addPath(path: string) {
      announce()
      if (lost) return
      paths.add(path)
      if (paths.size > MAX_PATHS) markLost()
    },
    /** The folder itself and everything below it. */
    addTree(folder: string) {
      announce()
      if (!lost) trees.add(folder)
    },
    markLost,
    /**
     * Returns and clears what was collected. With `keepLost`, 'all' stays for the next call too. With `onlyQuiet`, nothing
     * is taken during a burst, and the listeners are notified after it.
     */
    take({ keepLost = false, onlyQuiet = false } = {}): Dirty {
      if (lost) {
        lost = keepLost
        return 'all'
      }
      if (onlyQuiet && mustWait()) {
        cancel ??= clock.setTimeout(fire, lastEventAt + QUIET_MS - clock.now())
        return { paths: new Set(), trees: new Set() }
      }
      waitsSince = null
      const taken = { paths, trees: outermost(trees) }
      paths = new Set()
      trees = new Set()
      return taken
    },
    announce,
    onDirty(listener: () => void) {
      listeners.push(listener)
    },
    close() {
      cancel?.()
      cancel = null
      listeners.length = 0
    }
  }
}

/** The folders that are not inside another folder of the set. */
function outermost(folders: Set<string>): Set<string> {
  if (folders.has('')) return new Set([''])
  return new Set([...folders].filter((folder) => !foldersAbove(folder).some((above) => folders.has(above))))
}
