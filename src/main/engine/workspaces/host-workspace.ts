/** What an open workspace does by itself: snapshots, sweeps, checks whenever the folder changes, and upkeep. */
import { createCatchUp } from '../agents/catch-up.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Pause } from '../retention/contents.ts'
import { sweep } from '../retention/sweep.ts'
import { measure } from '../retention/usage.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta, readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { FolderWatch } from '../watch/watcher.ts'
import { createGitWatching } from './git-watching.ts'
import { createRestoreQueue } from './restore-queue.ts'
import { createSnapshotRunner } from './snapshot-runner.ts'
import { startUpkeep } from './upkeep.ts'
import type { WatchedFolder } from './watched-folder.ts'
import type { Emit, OpenWorkspace } from './workspace.ts'

interface HostOptions {
  readonly folder: WatchedFolder
  readonly clock: Clock
  readonly ingestProgram: string
  settings(): CaptureSettings
  /** As of `Opening`. */
  sharesWith(): OpenWorkspace | null
  readonly watchesGit: boolean
  /** Git wrote in the repository, or the folder vanished or is back. */
  onGitChange(): void
  /** As of upkeep. */
  onSpace(): void
  readonly emit: Emit
}

type HostedWorkspace = Pick<
  OpenWorkspace,
  | 'catchUp'
  | 'applyQueuedRestores'
  | 'snapshotProgress'
  | 'takeInitialSnapshot'
  | 'stopInitialSnapshot'
  | 'sweep'
  | 'setWatching'
  | 'close'
>

type OnError = (error: unknown) => void

/** How long a sweep holds the thread before other work gets a turn. */
const SWEEP_SLICE_MS = 8

/** Starts at once. `close` resolves when nothing runs any more; the store stays open. */
export function hostWorkspace(open: OpenWorkspace, options: HostOptions): HostedWorkspace {
  const { store, root, disk } = open
  const { folder, clock, emit } = options
  const { id } = open.workspace
  let closed = false
  const onError: OnError = (error) => {
    log.error(root, error)
    emit('workspace.changed', { workspace: id, rev: 0, kinds: ['status'], paths: [] })
  }
  const pause = (): Pause => createTimeSlicer(SWEEP_SLICE_MS)
  const sweeper = createSweeper(open, pause, () => closed)
  const copier = createSnapshotRunner(open, {
    program: options.ingestProgram,
    settings: options.settings,
    sharesWith: options.sharesWith,
    measure: () => measure(store, pause()),
    onProgress: () => emit('coverage.changed', { workspace: id, coverage: coverageState(store), copy: copier.progress })
  })
  const stopUpkeep =
    folder.watching === 'off'
      ? null
      : startUpkeep(open, {
          clock,
          pause,
          snapshotWaitsForSpace: () => copier.waitsForSpace,
          onFolderChange: options.onGitChange,
          onSpace: options.onSpace,
          onError
        })
  const git = createGitWatching(open, options)
  const catchUp = createCatchUp(open, {
    onDone: () => open.notifyChanged(['sessions', 'checkpoints', 'runs']),
    onError
  })
  const queue = createRestoreQueue(open, { workspace: id, emit, onError })
  const startChecks = (): void => {
    if (!folder.watch) return
    checkOnChanges(open, folder.watch, () => closed, onError)
    if (isSnapshotInterrupted(store)) copier.run().catch(onError)
  }
  // Continues what a process that died left.
  void catchUp.request()
  void queue.request()
  startChecks()
  return {
    catchUp: () => void catchUp.request(),
    applyQueuedRestores: () => void queue.request(),
    get snapshotProgress() {
      return copier.progress
    },
    takeInitialSnapshot: (onCopied) =>
      copier.run(() => {
        if (!closed) git.captureFirst()
        onCopied?.()
      }),
    stopInitialSnapshot: copier.stop,
    sweep: sweeper.run,
    setWatching: async (to) => {
      if (closed || to === folder.watching) return
      const stopped = folder.set(to)
      // Changes until now were made while nothing was recording.
      disk.markOffline()
      startChecks()
      git.align()
      await stopped
      open.notifyChanged(['status'])
    },
    // Upkeep and sweeps have to stop before anything is waited for.
    close: async () => {
      closed = true
      git.close()
      const upkeepStopped = stopUpkeep?.()
      await catchUp.close()
      await queue.close()
      await copier.close()
      await folder.close()
      await sweeper.settled()
      await upkeepStopped
    }
  }
}

/** Checks the disk whenever the watch reports changes. */
function checkOnChanges(open: OpenWorkspace, watch: FolderWatch, isClosed: () => boolean, onError: OnError): void {
  watch.onDirty(() => {
    if (isClosed()) return
    const checked = open.lock.run(async () => {
      await checkDisk(open, 'live')
      open.repositories.refresh()
    })
    checked.catch(onError)
  })
}

/** Whether a process died while it took the initial snapshot. One that a person stopped waits for that person. */
function isSnapshotInterrupted(store: Store): boolean {
  return readMeta(store, 'coverage') === 'copying' && coverageState(store) === 'partial'
}

/** Sweeps end early when the workspace is closed. */
function createSweeper(open: OpenWorkspace, pause: () => Pause, isClosed: () => boolean) {
  const { store, rules } = open
  let settled: Promise<unknown> = Promise.resolve()
  const run: OpenWorkspace['sweep'] = async (bounds, { dryRun = false, never = false, stop = () => false } = {}) => {
    const before = readRev(store)
    const neverKeep = never ? rules.neverStores : null
    const endEarly = (): boolean => isClosed() || stop()
    const sweeping = sweep(store, { ...bounds, dryRun, now: open.now(), pause: pause(), neverKeep, stop: endEarly })
    // Two may overlap: the second finds the first one's lock. A failure is reported to the caller of the sweep.
    settled = Promise.allSettled([settled, sweeping])
    const done = await sweeping
    if (!dryRun && readRev(store) !== before && !isClosed()) open.notifyChanged(['checkpoints', 'status'])
    return done
  }
  /** Resolves when no sweep runs any more. */
  return { run, settled: () => settled }
}
