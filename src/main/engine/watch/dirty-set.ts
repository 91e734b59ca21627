/**
 * Collects dirty paths between two checks, in bounded memory, and notifies after a burst of events: when it was quiet for a
 * moment, or at the latest some time after its first event.
 */
import type { Clock } from '../ports/clock.ts'

/** Root-relative, '/'-separated. Tree '' is the whole folder. 'all': events may have been lost, so a scan is needed. */
export type Dirty = { paths: Set<string>; trees: Set<string> } | 'all'

const QUIET_MS = 100
const MAX_DELAY_MS = 400
/** Above this a scan is cheaper than comparing single paths, and memory stays bounded. */
const MAX_PATHS = 50_000

export interface DirtySet {
  addPath(path: string): void
  /** The folder itself and everything below it. */
  addTree(folder: string): void
  /** Events were lost: `take` returns 'all' up to the first call with `keepLost` false. Notifies nobody. */
  markLost(): void
  /** Returns and clears what was collected. With `keepLost`, 'all' stays for the next call too. */
  take(keepLost: boolean): Dirty
  /** Notifies the listeners as after an event. */
  announce(): void
  onDirty(listener: () => void): void
  close(): void
}

export function createDirtySet(clock: Clock): DirtySet {
  let paths = new Set<string>()
  let trees = new Set<string>()
  // Nothing is known before the first scan.
  let lost = true
  const listeners: (() => void)[] = []
  let cancel: (() => void) | null = null
  let firstEventAt = 0
  let lastEventAt = 0

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
  // One timer per burst, re-armed when it fires: thousands of events share it.
  const announce = () => {
    lastEventAt = clock.now()
    if (cancel) return
    firstEventAt = lastEventAt
    cancel = clock.setTimeout(fire, QUIET_MS)
  }
  const markLost = () => {
    lost = true
    paths.clear()
    trees.clear()
  }

  return {
    addPath(path) {
      announce()
      if (lost) return
      paths.add(path)
      if (paths.size > MAX_PATHS) markLost()
    },
    addTree(folder) {
      announce()
      if (!lost) trees.add(folder)
    },
    markLost,
    take(keepLost) {
      if (lost) {
        lost = keepLost
        return 'all'
      }
      const taken = { paths, trees: outermost(trees) }
      paths = new Set()
      trees = new Set()
      return taken
    },
    announce,
    onDirty(listener) {
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
  if (folders.size < 2) return folders
  if (folders.has('')) return new Set([''])
  const outer = new Set<string>()
  for (const folder of folders) {
    let above = folder.lastIndexOf('/')
    let covered = false
    while (above > 0 && !covered) {
      covered = folders.has(folder.slice(0, above))
      above = folder.lastIndexOf('/', above - 1)
    }
    if (!covered) outer.add(folder)
  }
  return outer
}
