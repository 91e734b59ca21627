/** What may have changed since somebody last asked, and when to say so: quiet for a moment, or waited long enough. */
import type { Clock } from '../ports/clock.ts'

/** Root-relative, '/'-separated. '' as a tree is the whole folder. 'all' = events may have been lost: scan. */
export type Dirty = { paths: Set<string>; trees: Set<string> } | 'all'

const QUIET_MS = 100
const LONGEST_MS = 400
/** Beyond this many names a scan is cheaper than the names, and memory stays bounded. */
const MOST_PATHS = 50_000

export interface DirtySet {
  addPath(path: string): void
  /** The folder itself and everything below it. */
  addTree(folder: string): void
  /** From now on `take` answers 'all' until it has been asked while `keepLost` is false. Announces nothing. */
  markLost(): void
  /** Everything since the last take. With `keepLost` an 'all' stays 'all' for the next take too. */
  take(keepLost: boolean): Dirty
  /** Tell the listeners even if nothing new was added. */
  announce(): void
  onDirty(listener: () => void): void
  close(): void
}

export function createDirtySet(clock: Clock): DirtySet {
  let paths = new Set<string>()
  let trees = new Set<string>()
  let lost = true
  const listeners: (() => void)[] = []
  let cancel: (() => void) | null = null
  let first = 0
  let last = 0

  const fire = () => {
    const now = clock.now()
    const due = Math.min(last + QUIET_MS, first + LONGEST_MS)
    if (now < due) {
      cancel = clock.setTimeout(fire, due - now)
      return
    }
    cancel = null
    for (const listener of listeners) listener()
  }
  // One timer per burst, re-armed when it fires: thousands of events cost no timer each.
  const announce = () => {
    last = clock.now()
    if (cancel) return
    first = last
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
      if (paths.size > MOST_PATHS) markLost()
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

/** The folders that no other folder of the set contains. */
function outermost(folders: Set<string>): Set<string> {
  if (folders.size < 2) return folders
  if (folders.has('')) return new Set([''])
  const kept = new Set<string>()
  for (const folder of folders) {
    let above = folder.lastIndexOf('/')
    let covered = false
    while (above > 0 && !covered) {
      covered = folders.has(folder.slice(0, above))
      above = folder.lastIndexOf('/', above - 1)
    }
    if (!covered) kept.add(folder)
  }
  return kept
}
