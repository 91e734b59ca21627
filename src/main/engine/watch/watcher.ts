/** Watches one folder: what may have changed, whether that answer is complete, and a sentence when it is not. */
import { lstatSync, type Stats, statfsSync } from 'node:fs'
import type { WatcherState } from '../../../contract/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import { openBarrier } from './barrier.ts'
import { watchWithChokidar } from './chokidar-folders.ts'
import { createDirtySet, type Dirty } from './dirty-set.ts'
import { onOverflow } from './event-burst.ts'
import type { EventSink, FolderEvents, FolderEventsOptions } from './folder-events.ts'
import { watchEachFolder } from './inotify-folders.ts'

const BARRIER_MS = 1_000
const RETRY_LIMITS_MS = 60_000
const RETRY_ROOT_MS = 5_000
const RETRY_OVERFLOW_MS = 500

export interface FolderWatch {
  /** `why` is a sentence unless the state is live. */
  state(): { state: WatcherState; why: string }
  /** Dirty since the last take, root-relative: `paths` may have changed; `trees` are folders to scan with everything below. 'all' = events may have been lost: scan. */
  take(): Dirty
  /** What was taken could not be read after all: the next take answers 'all'. */
  requireScan(): void
  /** True when every event that happened before the call has been delivered into the dirty set; false when that cannot be known (not live, or 1 s passed). */
  barrier(): Promise<boolean>
  /** Debounced: after 100 ms of quiet, at most 400 ms after the first event. Also after the watcher became live. */
  onDirty(listener: () => void): void
  /** Call after the ignore rules of `folder` changed, so that what is no longer ignored is watched. */
  rulesChanged(folder: string): void
  /** Folders watched at the moment. */
  folders(): number
  close(): Promise<void>
}

export interface WatchOptions {
  /** Real absolute path of the folder. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  /** A folder of our own (never in the workspace), where barriers write. */
  readonly barrierDir: string
  readonly clock: Clock
  /** How to watch; by default what suits the platform. */
  readonly source?: (options: FolderEventsOptions) => FolderEvents
}

/** Starts watching at once; never throws. Until the state is live, `take` answers 'all' and `barrier` false. */
export function watchFolder(options: WatchOptions): FolderWatch {
  const { root, clock } = options
  const open = options.source ?? (process.platform === 'linux' ? watchEachFolder : watchWithChokidar)
  const dirty = createDirtySet(clock)
  const barrier = openBarrier(options.barrierDir, clock)
  let source: FolderEvents | null = null
  /** The sink of `source`: what an older source still reports is dropped. */
  let current: EventSink | null = null
  let cancelRetry: (() => void) | null = null
  let identity = ''
  let born = 0
  let state: WatcherState = 'starting'
  let why = STARTING
  let closed = false

  const enter = (next: WatcherState, sentence: string) => {
    state = next
    why = sentence
    dirty.markLost()
    // While starting there is nothing to tell yet: the end of it is announced.
    if (next !== 'starting') dirty.announce()
  }
  const release = () => {
    const old = source
    source = null
    cancelRetry?.()
    cancelRetry = null
    // Errors while letting go of handles change nothing: a new source is opened or none is wanted.
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
    const stats = lookAtRoot(root)
    if (!stats) {
      goOff()
      return
    }
    identity = identityOf(stats)
    born = stats.birthtimeMs
    enter('starting', STARTING)
    const sink: EventSink = {
      pathChanged: (path) => sink === current && dirty.addPath(path),
      treeChanged: (folder) => sink === current && dirty.addTree(folder),
      ready() {
        if (sink !== current) return
        const remote = remoteSentence(root)
        state = remote === '' ? 'live' : 'scanning'
        why = remote
        dirty.announce()
      },
      rootUncertain() {
        if (sink !== current) return
        const stats = lookAtRoot(root)
        if (!stats) goOff()
        // A reused inode number has another birth time. Where that is not kept, starting over is the safe answer.
        else if (identityOf(stats) !== identity || stats.birthtimeMs === 0 || stats.birthtimeMs !== born) start()
      },
      failed(error) {
        if (sink !== current) return
        if (!lookAtRoot(root)) {
          goOff()
          return
        }
        release()
        enter('scanning', limitSentence(error))
        retry(RETRY_LIMITS_MS, start)
      }
    }
    current = sink
    source = open({ root, ignoresDir: options.ignoresDir, sink })
  }

  const goOff = () => {
    current = null
    release()
    if (state !== 'off') enter('off', GONE)
    retry(RETRY_ROOT_MS, () => (lookAtRoot(root) ? start() : goOff()))
  }
  /** False when the folder at `root` is not the one being watched; a folder above it may have moved, which has no event. */
  const rootHolds = (): boolean => {
    if (state === 'off') return false
    const stats = lookAtRoot(root)
    if (!stats) goOff()
    else if (identityOf(stats) !== identity) start()
    else return true
    return false
  }
  const stopListening = onOverflow(() => {
    if (closed || state === 'off' || !source) return
    current = null
    release()
    enter('starting', 'Very many changes came at once; the folders are being read again.')
    retry(RETRY_OVERFLOW_MS, start)
  })

  start()
  return {
    state: () => ({ state, why }),
    take() {
      if (!closed) rootHolds()
      return dirty.take(state !== 'live')
    },
    requireScan() {
      dirty.markLost()
      dirty.announce()
    },
    async barrier() {
      const before = source
      if (closed || state !== 'live' || !before?.ordered || !rootHolds()) return false
      const since = clock.now()
      const caughtUp = await barrier.wait()
      if (!caughtUp || source !== before) return false
      const left = BARRIER_MS - (clock.now() - since)
      if (!(await isDoneWithin(before.settled(), left, clock))) return false
      return source === before && state === 'live' && rootHolds()
    },
    onDirty: dirty.onDirty,
    rulesChanged: (folder) => source?.rulesChanged(folder),
    folders: () => source?.folders() ?? 0,
    async close() {
      closed = true
      current = null
      const old = source
      source = null
      release()
      stopListening()
      barrier.close()
      dirty.close()
      state = 'off'
      why = 'The folder is no longer watched.'
      await old?.close()
    }
  }
}

const STARTING = 'Reading the folders; until then every check reads the whole folder.'
const GONE =
  'The folder was moved, renamed or deleted. What was recorded is safe; put it back or say where it went (Locate).'

function isDoneWithin(work: Promise<void>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.setTimeout(() => resolve(false), ms)
    work.then(() => {
      cancel()
      resolve(true)
    })
  })
}

function lookAtRoot(root: string): Stats | null {
  try {
    const stats = lstatSync(root)
    return stats.isDirectory() ? stats : null
  } catch {
    // Gone or out of reach: both mean there is nothing to watch.
    return null
  }
}

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`
}

function limitSentence(error: NodeJS.ErrnoException): string {
  const scans = 'Changes are found by scanning instead; nothing is lost.'
  if (error.code === 'ENOSPC')
    return `This computer's limit for watched folders is reached. ${scans} To raise it: sudo sysctl fs.inotify.max_user_watches=1048576`
  if (error.code === 'EMFILE')
    return `This computer's limit for watchers or open files is reached. ${scans} To raise it: sudo sysctl fs.inotify.max_user_instances=1024`
  return `The folder could not be watched (${error.code ?? error.message}). ${scans}`
}

/** Kinds of file systems whose changes made elsewhere never reach this computer's watcher: NFS, SMB, CIFS, 9P, FUSE, Ceph, AFS. */
const REMOTE_KINDS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f])

function remoteSentence(root: string): string {
  if (process.platform !== 'linux') return ''
  try {
    if (!REMOTE_KINDS.has(statfsSync(root).type >>> 0)) return ''
  } catch {
    // Unknown kind: taken for a local one, as nearly all are.
    return ''
  }
  return 'The folder is on a network or shared file system, where changes made elsewhere are not announced. Changes are found by scanning; nothing is lost.'
}
