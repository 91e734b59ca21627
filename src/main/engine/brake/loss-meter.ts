/**
 * Counts losses while they happen, from the events of the watcher: the log is brought up to date only after a burst, and
 * by then a fast deletion is over. It only suspects; the log judges afterwards (BR-1).
 *
 * A deletion is faster than anything that is done for each of its events. So an event costs one entry in a map, paths are
 * compared with the disk in portions, and of those that are gone a sample shows how many were recorded. All of it happens
 * in the callback of an event: no timer runs while events flood in.
 */
import type { Clock } from '../ports/clock.ts'
import { createGonePaths, dropBefore, type LossSource, type LostPath, putNewest } from './gone-paths.ts'
import { WINDOW_MS } from './judge.ts'

interface MeterOptions extends LossSource {
  readonly clock: Clock
  /** Whether a run may delete files now: without one nothing is compared. */
  isRunOpen(): boolean
  /** How many losses are too many. */
  limit(): number
  /**
   * Too many files are gone, such as these. False: it cannot be judged now, ask again soon. True: nothing is counted
   * until `reset`.
   */
  onSuspicion(sample: readonly LostPath[]): boolean
}

/** Paths are compared with the disk in portions of at least so many. */
const LEAST_PORTION = 16
/** The new name of a moved folder is reported right after the old one, ms. */
const FOLDER_MS = 10
/** How soon a suspicion that could not be judged is raised again, ms. */
const RETRY_MS = 100

export function createLossMeter(options: MeterOptions) {
  const { clock } = options
  /** Changed paths that were not compared yet, and when they changed; oldest first. */
  const waiting = new Map<string, number>()
  const folders = new Map<string, number>()
  const gone = createGonePaths(options)
  /** So many paths wait before they are compared: losses cannot be too many before. */
  let portion = LEAST_PORTION
  /** So many paths must be gone for a sample. */
  let enough = 0
  let cancel: (() => void) | null = null
  /** `waits`: for a new attempt. `raised`: for the reset. */
  let suspicion: 'none' | 'waits' | 'raised' = 'none'

  const compareLater = (ms: number): void => {
    cancel ??= clock.setTimeout(() => {
      cancel = null
      if (suspicion === 'raised') return
      suspicion = 'none'
      compare()
    }, ms)
  }
  const compare = (): void => {
    const from = clock.now() - WINDOW_MS
    dropBefore(waiting, from, (at) => at)
    gone.forgetBefore(from)
    const isRunOpen = options.isRunOpen()
    if (isRunOpen) {
      for (const [path, at] of waiting) gone.comparePath(path, at)
      for (const [folder, at] of folders) gone.compareFolder(folder, at)
    }
    waiting.clear()
    folders.clear()
    if (!isRunOpen) return
    const limit = options.limit()
    if (gone.count() < limit) enough = limit
    if (gone.count() >= enough) takeSample(limit)
    portion = Math.max(LEAST_PORTION, Math.ceil((enough - gone.count()) / 2))
  }
  /** Suspects a loss if the sample says that too many of the gone paths are one. */
  const takeSample = (limit: number): void => {
    const { estimate, lost } = gone.sample()
    if (estimate < limit) {
      enough = gone.count() * 2
      return
    }
    suspicion = options.onSuspicion(lost) ? 'raised' : 'waits'
    if (suspicion === 'waits') compareLater(RETRY_MS)
  }

  return {
    pathChanged(path: string): void {
      if (suspicion === 'raised') return
      putNewest(waiting, path, clock.now())
      if (suspicion === 'none' && waiting.size >= portion) compare()
    },
    /** A folder changed as a whole: it may have been moved away, which has no other event. */
    treeChanged(folder: string): void {
      if (suspicion === 'raised') return
      putNewest(folders, folder, clock.now())
      if (suspicion === 'none') compareLater(FOLDER_MS)
    },
    /** Counts from the beginning. */
    reset(): void {
      for (const each of [waiting, folders, gone]) each.clear()
      suspicion = 'none'
    },
    close(): void {
      cancel?.()
      cancel = null
      suspicion = 'raised'
    }
  }
}
