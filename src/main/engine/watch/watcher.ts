/**
 * Watches one folder: which paths are dirty, whether that is complete, and the reason when it is not.
 *
 * Invariant: whenever events may be lost (start, overflow, limits, a replaced root), the next `take` returns 'all'.
 */
import { type Stats, statfsSync } from 'node:fs'
import type { UnwatchedReason, WatcherState } from '../../../contract/workspace.ts'
import { foldersAbove, isWithin } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'
import { openBarrier } from './barrier.ts'
import { watchWithChokidar } from './chokidar-folders.ts'
import { createDirtySet, type Dirty } from './dirty-set.ts'
import { onOverflow } from './event-burst.ts'
import { type EventSink, type FolderEvents, type FolderEventsOptions, lstatOrNull } from './folder-events.ts'
import { watchEachFolder } from './inotify-folders.ts'

const BARRIER_MS = 1_000
/** Where events of different folders keep no order: one that is not reported within this time after another is late, ms. */
const QUIET_MS = 50
/** A folder that never gets quiet is waited for so long, ms. */
const MAX_QUIET_MS = 300
const RETRY_LIMITS_MS = 60_000
const RETRY_ROOT_MS = 5_000
const RETRY_OVERFLOW_MS = 500
/** Longer than any system delays an event. */
const LATE_EVENT_MS = 5_000

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
  /** Device and inode number of the watched folder, and its birth time, ms. */
  let identity = ''
  let birthTime = 0
  let state: WatcherState = 'starting'
  let why: UnwatchedReason | null = { code: 'starting' }
  let closed = false
  /** Changed paths that a scan found and no event has reported yet. */
  const awaited = new Set<string>()
  let cancelVerdict: (() => void) | null = null
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
    identity = identityOf(stats)
    birthTime = stats.birthtimeMs
    enter('starting', { code: 'starting' })
    const sink: EventSink = {
      pathChanged(path) {
        if (sink !== current) return
        events++
        awaited.delete(path)
        dirty.addPath(path)
      },
      treeChanged(folder) {
        if (sink !== current) return
        events++
        for (const path of awaited) if (isWithin(path, folder)) awaited.delete(path)
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
        const stats = statRoot(root)
        if (!stats) goOff()
        // A reused inode number has another birth time. Where the disk keeps none (0), a new start is the safe choice.
        else if (identityOf(stats) !== identity || stats.birthtimeMs === 0 || stats.birthtimeMs !== birthTime) start()
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
    const stats = statRoot(root)
    if (!stats) goOff()
    else if (identityOf(stats) !== identity) start()
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
      if (state !== 'live' || !before || before.showsLoss || cancelVerdict) return
      for (const path of paths) if (!foldersAbove(path).some(options.ignoresDir)) awaited.add(path)
      if (awaited.size === 0) return
      cancelVerdict = clock.setTimeout(() => {
        cancelVerdict = null
        const isLost = awaited.size > 0 && source === before
        awaited.clear()
        if (isLost) startAgain({ code: 'unreported' })
      }, LATE_EVENT_MS)
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
      cancelVerdict?.()
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

/** Null if the folder is missing or unreachable: there is nothing to watch. */
function statRoot(root: string): Stats | null {
  const stats = lstatOrNull(root)
  return stats?.isDirectory() ? stats : null
}

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`
}

function failure({ code, message }: NodeJS.ErrnoException): UnwatchedReason {
  if (code === 'ENOSPC') return { code: 'folder-limit' }
  return code === 'EMFILE' ? { code: 'watcher-limit' } : { code: 'failed', error: code ?? message }
}

/**
 * `f_type` of statfs(2) for file systems whose remote changes cause no events here: NFS, SMB, CIFS, SMB2, 9P, FUSE,
 * Ceph, AFS.
 */
const REMOTE_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f])

function isRemote(root: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return REMOTE_TYPES.has(statfsSync(root).type >>> 0)
  } catch {
    // Unknown: treated as local, as nearly all are.
    return false
  }
}
