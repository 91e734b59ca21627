/**
 * Watches one folder: which paths are dirty, whether that is complete, and the reason when it is not.
 *
 * Invariant: whenever events may be lost (start, overflow, limits, a replaced root), the next `take` returns 'all'.
 */
import type { Stats } from 'node:fs'
import type { UnwatchedReason, WatcherState } from '../../../contract/workspace.ts'
import { foldersAbove } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'
import { openBarrier } from './barrier.ts'
import { watchWithChokidar } from './chokidar-folders.ts'
import { createDirtySet, type Dirty } from './dirty-set.ts'
import { onOverflow } from './event-burst.ts'
import type { EventSink, FolderEvents, FolderEventsOptions } from './folder-events.ts'
import { watchEachFolder } from './inotify-folders.ts'
import { createLateEvents } from './late-events.ts'
import { isCertainlySame, isRemote, isSameInode, statRoot } from './watched-root.ts'

const BARRIER_MS = 1_000
/** Where events of different folders keep no order: one that is not reported within this time after another is late, ms. */
const QUIET_MS = 50
/** A folder that never gets quiet is waited for so long, ms. */
const MAX_QUIET_MS = 300
const RETRY_LIMITS_MS = 60_000
const RETRY_ROOT_MS = 5_000
const RETRY_OVERFLOW_MS = 500

export type FolderWatch = ReturnType<typeof watchFolder>

export interface WatchOptions {
  /** Real absolute path of the folder. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  /** A folder in our own data (never in the workspace), where barriers write. */
  readonly barrierDir: string
  readonly clock: Clock
  /** The backend; default: that of the platform. */
  readonly source?: (options: FolderEventsOptions) => FolderEvents
}

/** Starts watching at once; never throws. Until the state is live, `take` returns 'all' and `barrier` false. */
export function watchFolder(options: WatchOptions) {
  const { root, clock } = options
  const open = options.source ?? (process.platform === 'linux' ? watchEachFolder : watchWithChokidar)
  const dirty = createDirtySet(clock)
  const barrier = openBarrier(options.barrierDir, clock)
  let source: FolderEvents | null = null
  /** The sink of `source`: late events of a former source are dropped. */
  let current: EventSink | null = null
  let cancelRetry: (() => void) | null = null
  /** The watched folder, as it was when the watch started. */
  let watched: Stats | null = null
  let state: WatcherState = 'starting'
  let why: UnwatchedReason | null = { code: 'starting' }
  let closed = false
  const lateEvents = createLateEvents(clock)
  /** Number of events so far. */
  let events = 0

  /** Resolves when no event came for a moment. */
  const becomesQuiet = async () => {
    const end = clock.now() + MAX_QUIET_MS
    let before: number
    do {
      before = events
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, QUIET_MS))
    } while (events !== before && clock.now() < end)
  }
  /** Events may be lost from here on, so the next `take` returns 'all'. */
  const enter = (next: WatcherState, reason: UnwatchedReason) => {
    state = next
    why = reason
    dirty.markLost()
    // A start is announced when it is done.
    if (next !== 'starting') dirty.announce()
  }
  const release = () => {
    const old = source
    source = null
    cancelRetry?.()
    cancelRetry = null
    // Errors while closing handles do not matter: a new source is opened, or none is needed.
    old?.close().catch(() => undefined)
  }
  const retry = (ms: number, next: () => void) => {
    cancelRetry = clock.setTimeout(() => {
      cancelRetry = null
      next()
    }, ms)
  }

  const start = () => {
    release()
    if (closed) return
    const stats = statRoot(root)
    if (!stats) {
      goOff()
      return
    }
    watched = stats
    enter('starting', { code: 'starting' })
    const sink: EventSink = {
      pathChanged(path) {
        if (sink !== current) return
        events++
        lateEvents.pathChanged(path)
        dirty.addPath(path)
      },
      treeChanged(folder) {
        if (sink !== current) return
        events++
        lateEvents.treeChanged(folder)
        dirty.addTree(folder)
      },
      ready() {
        if (sink !== current) return
        const remote = isRemote(root)
        state = remote ? 'scanning' : 'live'
        why = remote ? { code: 'remote' } : null
        dirty.announce()
      },
      rootUncertain() {
        if (sink !== current) return
        const found = statRoot(root)
        if (!found) goOff()
        else if (!isCertainlySame(stats, found)) start()
      },
      failed(error) {
        if (sink !== current) return
        if (!statRoot(root)) {
          goOff()
          return
        }
        release()
        enter('scanning', failure(error))
        retry(RETRY_LIMITS_MS, start)
      }
    }
    current = sink
    source = open({ root, ignoresDir: options.ignoresDir, sink })
  }

  const goOff = () => {
    current = null
    release()
    if (state !== 'off') enter('off', { code: 'moved' })
    retry(RETRY_ROOT_MS, () => (statRoot(root) ? start() : goOff()))
  }
  /**
   * False if the folder at `root` is not the watched one. Moving a folder above the root causes no event, so this is
   * checked.
   */
  const isSameRoot = (): boolean => {
    if (state === 'off') return false
    const found = statRoot(root)
    if (!found) goOff()
    else if (!watched || !isSameInode(watched, found)) start()
    else return true
    return false
  }
  const startAgain = (reason: UnwatchedReason) => {
    if (closed || state === 'off' || !source) return
    current = null
    release()
    enter('starting', reason)
    retry(RETRY_OVERFLOW_MS, start)
  }
  const removeOverflowListener = onOverflow(() => startAgain({ code: 'too-many' }))

  start()
  return {
    /** `why`: null while the state is live. */
    state: () => ({ state, why }),
    /** Returns and clears the dirty set. 'all': events may have been lost, so a scan is needed. */
    take(): Dirty {
      if (!closed) isSameRoot()
      return dirty.take(state !== 'live')
    },
    /** The dirty set that was taken could not be processed: the next `take` returns 'all'. */
    requireScan() {
      dirty.markLost()
      dirty.announce()
    },
    /**
     * True once every event before the call is in the dirty set; false if that cannot be known (not live, or after 1
     * s). Where events keep no order, it is true after a short time without events: a comparison in the background
     * finds those that come later still.
     */
    async barrier() {
      const before = source
      if (closed || state !== 'live' || !before || !isSameRoot()) return false
      const since = clock.now()
      const caughtUp = await barrier.wait()
      if (!caughtUp || source !== before) return false
      if (!before.ordered) await becomesQuiet()
      const remainingMs = BARRIER_MS - (clock.now() - since)
      if (!(await isDoneWithin(before.settled(), remainingMs, clock))) return false
      return source === before && state === 'live' && isSameRoot()
    },
    /** False where lost events do not show, so that scans have to verify the watch. */
    showsLoss: () => source?.showsLoss ?? true,
    /**
     * A scan found changes of these paths that were not dirty when it began. Their events may be late; if they do not come, events
     * were lost, and the watch starts again.
     */
    expectReports(paths: readonly string[]) {
      const before = source
      if (state !== 'live' || !before || before.showsLoss) return
      const reported = paths.filter((path) => !foldersAbove(path).some(options.ignoresDir))
      lateEvents.expect(reported, () => {
        if (source === before) startAgain({ code: 'unreported' })
      })
    },
    /** Debounced: after 100 ms without events, at most 400 ms after the first. Also when the watcher became live. */
    onDirty: dirty.onDirty,
    /** Call after the ignore rules of `folder` changed, so that folders no longer ignored are watched. */
    rulesChanged: (folder: string) => source?.rulesChanged(folder),
    /** Number of folders watched now. */
    folders: () => source?.folders() ?? 0,
    async close() {
      closed = true
      current = null
      const old = source
      source = null
      release()
      lateEvents.close()
      removeOverflowListener()
      barrier.close()
      dirty.close()
      state = 'off'
      why = { code: 'closed' }
      await old?.close()
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

function failure({ code, message }: NodeJS.ErrnoException): UnwatchedReason {
  if (code === 'ENOSPC') return { code: 'folder-limit' }
  return code === 'EMFILE' ? { code: 'watcher-limit' } : { code: 'failed', error: code ?? message }
}
