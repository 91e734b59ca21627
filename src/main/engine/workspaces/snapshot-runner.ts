/** Runs a workspace's initial snapshot, one at a time, and stops it while the disk is nearly full. */
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { newProgress } from '../capture/snapshot-names.ts'
import { checkDisk, recordCheckout } from '../drift/check.ts'
import { isDiskFull, requireDiskSpace } from '../files/disk-space.ts'
import { checkpointLog, withoutBusyTimeout } from '../store/maintenance.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import { hasPackedPaths } from '../store/packed-paths.ts'
import { transact } from '../store/sql.ts'
import { type RunningSnapshot, runSnapshot } from './running-snapshot.ts'
import { startSnapshotChild } from './snapshot-child.ts'
import type { OpenWorkspace } from './workspace.ts'

interface SnapshotRunnerOptions {
  readonly program: string
  settings(): CaptureSettings
  /** For a worktree: the workspace whose history has most of its contents; else null. */
  sharesWith(): OpenWorkspace | null
  /** Measures the storage that counts for the budget, once the snapshot is complete. */
  measure(): Promise<unknown>
  /** `progress` changed. */
  onProgress(): void
}

export function createSnapshotRunner(open: OpenWorkspace, options: SnapshotRunnerOptions) {
  const { root, store, space } = open
  let progress: CopyProgress | null = null
  let running: RunningSnapshot | null = null
  let needsRoom = false
  let closed = false
  let settled: Promise<unknown> = Promise.resolve()

  const stop = (): void => running?.stop()
  const onProgress = (reported: CopyProgress): void => {
    progress = reported
    if (reported.counted) open.disk.endNames()
    if (space.measure().low) needsRoom = true
    if (needsRoom) stop()
    options.onProgress()
  }
  const startChild = (recorded: CopyProgress) =>
    startSnapshotChild(
      options.program,
      { root, storeFile: store.file, settings: options.settings(), progress: recorded },
      onProgress
    )
  const start = (): RunningSnapshot => {
    transact(store, (tx) => writeMeta(tx, 'coverage', 'copying'))
    progress = newProgress()
    const started = runSnapshot(open, { main: options.sharesWith(), startChild, onProgress })
    transact(store, (tx) => writeMeta(tx, 'copier', JSON.stringify(started.process)))
    return started
  }
  const runToEnd = async (): Promise<boolean> => {
    running = start()
    try {
      return await running.done
    } catch (error) {
      // The next process continues one that ends with this one.
      if (!closed) transact(store, (tx) => writeMeta(tx, 'coverage', 'partial'))
      open.disk.requireScan()
      if (isDiskFull(error)) space.reportFull()
      if (needsRoom) requireDiskSpace(space, 'The initial snapshot is not complete.')
      throw error
    } finally {
      open.disk.endNames()
      running = null
      progress = null
      open.notifyChanged(['status'])
      options.onProgress()
    }
  }

  const run = async (onCopied: () => void): Promise<void> => {
    if (running) {
      await running.done
      return
    }
    open.refreshWorktrees()
    needsRoom = space.measure().low
    requireDiskSpace(space, 'The initial snapshot is not complete.')
    // Changes during the snapshot of a new folder are recorded after it. Before a continued snapshot nothing was
    // recording.
    if (readMeta(store, 'coverage') === 'none') open.disk.markRecording()
    const isCompared = await runToEnd()
    onCopied()
    if (isCompared) recordCheckout(open)
    if (!closed && !hasPackedPaths(store)) await options.measure()
    // The first scan finds what changed during the snapshot.
    if (!closed) await open.lock.run(() => checkDisk(open, isCompared ? 'present' : 'position'))
    // The log is as large as all that was written. Many worktrees are made at once.
    if (!closed && options.sharesWith()) withoutBusyTimeout(store, () => checkpointLog(store, 'TRUNCATE'))
  }

  return {
    /** Progress of the running snapshot, else null. */
    get progress() {
      return progress
    },
    /** It was stopped or refused because the disk is nearly full; it continues when there is space. */
    get waitsForSpace() {
      return needsRoom
    },
    /**
     * Starts the snapshot or continues one that was stopped. Resolves when it is complete and was compared with the disk;
     * `onCopied` is called before that comparison. Throws DiskFull and Cancelled.
     */
    run: (onCopied = (): void => {}): Promise<void> => {
      const work = run(onCopied)
      settled = Promise.allSettled([settled, work])
      return work
    },
    stop,
    /** Stops it for good; resolves when it has ended, with what follows it. */
    close: async (): Promise<void> => {
      closed = true
      stop()
      await settled
    }
  }
}
