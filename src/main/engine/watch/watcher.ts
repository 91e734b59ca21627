/**
 * Watches one folder: which paths are dirty, whether that is complete, and the reason when it is not.
 *
 * Invariant: whenever events may be lost (start, overflow, limits, a replaced root), the next `take` returns 'all'.
 */
import { foldersAbove } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'
import { openBarrier } from './barrier.ts'
import { watchWithChokidar } from './chokidar-folders.ts'
import { createDirtySet, type Dirty } from './dirty-set.ts'
import { onOverflow } from './event-burst.ts'
import type { FirstScan, OpenFolderEvents } from './folder-events.ts'
import { CHOKIDAR_LIMITS, NEVER_CHOKIDAR } from './handle-kind.ts'
import { watchEachFolder } from './inotify-folders.ts'
import { createLastingWatch } from './lasting-watch.ts'
import { createLateEvents } from './late-events.ts'

const BARRIER_MS = 1_000
/** How long a barrier waits for a watch that is starting: about 10,000 folders are watched by then, ms. */
const START_MS = 500

export type FolderWatch = ReturnType<typeof watchFolder>

/** Gets each event at once, before the dirty set is taken. */
export interface WatchObserver {
  pathChanged(path: string): void
  treeChanged(folder: string): void
}

export interface WatchOptions {
  /** Real absolute path of the folder. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  /** A folder in our own data (never in the workspace), where barriers write. */
  readonly barrierDir: string
  readonly clock: Clock
  readonly observer?: WatchObserver
  /** [DR-8] Many such folders come and go at once: on Linux it costs as little as a large one. */
  readonly isWorktree?: boolean
  /** As of FolderEventsOptions. */
  readonly awaitsScan?: boolean
  /** The backend; default: that of the platform. */
  readonly source?: OpenFolderEvents
}

/** Starts watching at once; never throws. Until the state is live, `take` returns 'all' and `barrier` false. */
export function watchFolder(options: WatchOptions) {
  const { root, ignoresDir, barrierDir, clock, isWorktree, awaitsScan = false, source, observer } = options
  const dirty = createDirtySet(clock)
  const barrier = openBarrier(barrierDir, clock)
  const lateEvents = createLateEvents(clock)
  const eachFolder = (): OpenFolderEvents => watchEachFolder(isWorktree ? NEVER_CHOKIDAR : CHOKIDAR_LIMITS)
  const open = source ?? (process.platform === 'linux' ? eachFolder() : watchWithChokidar)
  const watch = createLastingWatch(
    { root, ignoresDir, clock, awaitsScan, open },
    {
      pathChanged(path) {
        lateEvents.pathChanged(path)
        dirty.addPath(path)
        observer?.pathChanged(path)
      },
      treeChanged(folder) {
        lateEvents.treeChanged(folder)
        dirty.addTree(folder)
        observer?.treeChanged(folder)
      },
      lost: dirty.markLost,
      settled: dirty.announce
    }
  )
  const isLive = () => watch.state().state === 'live'
  /** Waits a while for a watch that has begun: a scan before it is live would have to be repeated after. */
  const started = async (): Promise<void> => {
    const source = watch.source()
    if (source && watch.state().state === 'starting') await isDoneWithin(source.settled(), START_MS, clock)
  }
  const removeOverflowListener = onOverflow(() => watch.startAgain({ code: 'too-many' }))

  watch.start()
  return {
    /** `why`: null while the state is live. `handles`: null while nothing is watched. */
    state: () => ({ ...watch.state(), handles: watch.source()?.handles() ?? null }),
    /**
     * Returns and clears the dirty set; with `onlyQuiet`, not during a burst of events. 'all': events may have been lost, so
     * a scan is needed.
     */
    take(onlyQuiet = false): Dirty {
      watch.isSameRoot()
      return dirty.take({ keepLost: !isLive(), onlyQuiet })
    },
    /**
     * Begins to watch by a scan of everything, in place of a walk; null if it is too late for that. From now on events are
     * in the dirty set.
     */
    beginScan(): FirstScan | null {
      const scan = watch.isSameRoot() ? watch.source()?.beginScan?.() : null
      if (scan) dirty.take()
      return scan ?? null
    },
    /** The dirty set that was taken could not be processed: the next `take` returns 'all'. */
    requireScan() {
      dirty.markLost()
      dirty.announce()
    },
    /**
     * True once every event before the call is in the dirty set, as far as the backend can know that (`settled`); false
     * if it cannot be known (not live soon, or after 1 s).
     */
    async barrier() {
      // One that begins here is live before the scan that follows.
      const isSame = watch.isSameRoot()
      await started()
      const before = watch.source()
      if (!isSame || !isLive() || !before || !watch.isSameRoot()) return false
      const since = clock.now()
      const caughtUp = await barrier.wait()
      if (!caughtUp || watch.source() !== before) return false
      const remainingMs = BARRIER_MS - (clock.now() - since)
      if (!(await isDoneWithin(before.settled(), remainingMs, clock))) return false
      return watch.source() === before && isLive() && watch.isSameRoot()
    },
    /** False where lost events do not show, so that scans have to verify the watch. */
    showsLoss: () => watch.source()?.showsLoss ?? true,
    /**
     * A scan found changes of these paths that were not dirty when it began. Their events may be late; if they do not come, events
     * were lost, and the watch starts again.
     */
    expectReports(paths: readonly string[]) {
      const before = watch.source()
      if (!isLive() || !before || before.showsLoss) return
      const reported = paths.filter((path) => !foldersAbove(path).some(ignoresDir))
      lateEvents.expect(reported, () => {
        if (watch.source() === before) watch.startAgain({ code: 'unreported' })
      })
    },
    /** Debounced: after 100 ms without events, at most 400 ms after the first. Also when the watcher became live. */
    onDirty: dirty.onDirty,
    /** Call after the ignore rules of `folder` changed, so that folders no longer ignored are watched. */
    rulesChanged: (folder: string) => watch.source()?.rulesChanged(folder),
    /** Number of folders watched now. */
    folders: () => watch.source()?.folders() ?? 0,
    async close() {
      const released = watch.close()
      lateEvents.close()
      removeOverflowListener()
      barrier.close()
      dirty.close()
      await released
    }
  }
}

function isDoneWithin(work: Promise<void>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.setTimeout(() => resolve(false), ms)
    work.then(() => {
      cancel()
      resolve(true)
    })
  })
}
