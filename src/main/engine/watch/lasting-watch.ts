/**
 * Keeps a watch backend open on one folder for as long as the folder is recorded: what a backend cannot survive (its
 * root replaced, an overflow, a limit of the system) ends it, and a new one is opened.
 *
 * States: `starting` (folders are being watched), `live`, `scanning` (no events, or not all: limits, a remote disk),
 * `off` (nothing is at the path). Every state but `live` has a reason.
 *
 * Invariant: only the backend opened last is listened to, and whenever events may have been missed, `lost` is called
 * before any later event.
 */
import type { Stats } from 'node:fs'
import type { UnwatchedReason, WatcherState } from '../../../contract/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventSink, FolderEvents, FolderEventsOptions, OpenFolderEvents } from './folder-events.ts'
import { isCertainlySame, isRemote, isSameInode, statRoot } from './watched-root.ts'

const RETRY_LIMITS_MS = 60_000
const RETRY_ROOT_MS = 5_000
const RETRY_OVERFLOW_MS = 500

interface WatchListener {
  pathChanged(path: string): void
  treeChanged(folder: string): void
  /** Events may be missing from here on. */
  lost(): void
  /** The state or the handles are other ones, and are not about to change. */
  settled(): void
}

interface LastingWatchOptions {
  /** Real absolute path of the folder. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  readonly clock: Clock
  readonly awaitsScan: boolean
  readonly open: OpenFolderEvents
}

/** Nothing is watched before `start`, which never throws. */
export function createLastingWatch(
  { root, ignoresDir, clock, awaitsScan, open }: LastingWatchOptions,
  listener: WatchListener
) {
  const source = createCurrentSource(open)
  let cancelRetry: (() => void) | null = null
  /** The watched folder, as it was when the watch started. */
  let watched: Stats | null = null
  let state: WatcherState = 'starting'
  let why: UnwatchedReason | null = { code: 'starting' }
  let closed = false

  const enter = (next: WatcherState, reason: UnwatchedReason) => {
    state = next
    why = reason
    listener.lost()
    // A start is announced when it is done.
    if (next !== 'starting') listener.settled()
  }
  /** Ends the source and the wait for the next one. */
  const release = (): Promise<void> => {
    cancelRetry?.()
    cancelRetry = null
    return source.release()
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
    watched = statRoot(root)
    if (!watched) {
      goOff()
      return
    }
    enter('starting', { code: 'starting' })
    source.open({ root, ignoresDir, clock, awaitsScan, sink: sinkFor(watched) })
  }
  /** `stats`: the root, as it was when this watch started. */
  const sinkFor = (stats: Stats): EventSink => ({
    pathChanged: listener.pathChanged,
    treeChanged: listener.treeChanged,
    ready: () => {
      const remote = isRemote(root)
      state = remote ? 'scanning' : 'live'
      why = remote ? { code: 'remote' } : null
      listener.settled()
    },
    handlesChanged: listener.settled,
    rootUncertain: () => {
      const found = statRoot(root)
      if (!found) goOff()
      else if (!isCertainlySame(stats, found)) start()
    },
    failed: (error) => {
      if (!statRoot(root)) {
        goOff()
        return
      }
      release()
      enter('scanning', failure(error))
      retry(RETRY_LIMITS_MS, start)
    }
  })
  const goOff = () => {
    release()
    if (state !== 'off') enter('off', { code: 'moved' })
    retry(RETRY_ROOT_MS, () => (statRoot(root) ? start() : goOff()))
  }

  return {
    start,
    /** `why`: null while the state is live. */
    state: () => ({ state, why }),
    /** The backend in use; another one once the watch was started again. */
    source: source.get,
    /** Ends the watch and opens another one shortly after. Nothing while the folder is missing. */
    startAgain(reason: UnwatchedReason) {
      if (closed || state === 'off' || !source.get()) return
      release()
      enter('starting', reason)
      retry(RETRY_OVERFLOW_MS, start)
    },
    /**
     * False if the folder at `root` is not the watched one; one that is back is watched from now on. Moving a folder above
     * the root causes no event, so this is checked.
     */
    isSameRoot(): boolean {
      if (closed) return false
      const found = statRoot(root)
      if (found && state !== 'off' && watched && isSameInode(watched, found)) return true
      if (found) start()
      else if (state !== 'off') goOff()
      return false
    },
    close(): Promise<void> {
      closed = true
      state = 'off'
      why = { code: 'closed' }
      return release()
    }
  }
}

/** The backend in use. Late events of a former one are dropped. */
function createCurrentSource(openSource: OpenFolderEvents) {
  let source: FolderEvents | null = null
  let current: EventSink | null = null
  return {
    get: (): FolderEvents | null => source,
    /** Call after `release`. */
    open({ sink, ...options }: FolderEventsOptions): void {
      const whenCurrent =
        <T extends unknown[]>(act: (...args: T) => void) =>
        (...args: T) => {
          if (guarded === current) act(...args)
        }
      const guarded: EventSink = {
        pathChanged: whenCurrent(sink.pathChanged),
        treeChanged: whenCurrent(sink.treeChanged),
        ready: whenCurrent(sink.ready),
        handlesChanged: whenCurrent(sink.handlesChanged),
        rootUncertain: whenCurrent(sink.rootUncertain),
        failed: whenCurrent(sink.failed)
      }
      current = guarded
      source = openSource({ ...options, sink: guarded })
    },
    /** The promise is for closing the watch: errors while closing handles do not matter. */
    release(): Promise<void> {
      const former = source
      source = null
      current = null
      return former?.close().catch(() => undefined) ?? Promise.resolve()
    }
  }
}

function failure({ code, message }: NodeJS.ErrnoException): UnwatchedReason {
  if (code === 'ENOSPC') return { code: 'folder-limit' }
  return code === 'EMFILE' ? { code: 'watcher-limit' } : { code: 'failed', error: code ?? message }
}
