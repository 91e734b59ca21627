/** Runs a workspace's initial snapshot in a process of its own, one at a time, and stops it while the disk is nearly full. */
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import type { SnapshotProcess, startSnapshotProcess } from '../capture/snapshot-process.ts'
import { checkDisk } from '../drift/check.ts'
import { isDiskFull, requireDiskSpace } from '../files/disk-space.ts'
import { type ProcessId, processStart } from '../ports/processes.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import type { OpenWorkspace } from './workspace.ts'

export interface SnapshotRunner {
  /** Progress of the running snapshot, else null. */
  readonly progress: CopyProgress | null
  /** It was stopped or refused because the disk is nearly full; it continues when there is space. */
  readonly waitsForSpace: boolean
  /** Starts the snapshot or continues one that was stopped. Resolves when it is complete. Throws DiskFull and Cancelled. */
  run(open: OpenWorkspace): Promise<void>
  stop(): void
  /** Stops it for good; resolves when its process has ended. */
  close(): Promise<void>
}

export interface SnapshotRunnerOptions {
  readonly start: typeof startSnapshotProcess
  readonly program: string
  readonly storeFile: string
  settings(): CaptureSettings
  /** Measures the storage that counts for the budget, once the snapshot is complete. */
  measure(): Promise<unknown>
  /** `progress` changed. */
  onProgress(): void
}

export function createSnapshotRunner(options: SnapshotRunnerOptions): SnapshotRunner {
  let progress: CopyProgress | null = null
  let child: SnapshotProcess | null = null
  let needsRoom = false
  let closed = false

  const start = ({ root, store, boundaries, space }: OpenWorkspace): SnapshotProcess => {
    transact(store, (tx) => writeMeta(tx, 'coverage', 'copying'))
    progress = { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0, counted: false }
    const started = options.start(
      options.program,
      { root, storeFile: options.storeFile, boundaries: [...boundaries], settings: options.settings() },
      (reported) => {
        progress = reported
        if (space.measure().low) needsRoom = true
        if (needsRoom) child?.stop()
        options.onProgress()
      }
    )
    const id: ProcessId = { pid: started.pid, start: processStart(started.pid) }
    transact(store, (tx) => writeMeta(tx, 'copier', JSON.stringify(id)))
    return started
  }

  const runChild = async (open: OpenWorkspace): Promise<void> => {
    const { store, space } = open
    child = start(open)
    try {
      await child.done
    } catch (error) {
      transact(store, (tx) => writeMeta(tx, 'coverage', 'partial'))
      if (isDiskFull(error)) space.reportFull()
      if (needsRoom) requireDiskSpace(space)
      throw error
    } finally {
      child = null
      progress = null
      open.notifyChanged(['status'])
      options.onProgress()
    }
  }

  return {
    get progress() {
      return progress
    },
    get waitsForSpace() {
      return needsRoom
    },
    run: async (open) => {
      if (child) return child.done
      open.refreshWorktrees()
      needsRoom = open.space.measure().low
      requireDiskSpace(open.space)
      // Changes during the snapshot of a new folder are recorded after it. Before a continued snapshot nothing was recording.
      if (readMeta(open.store, 'coverage') === 'none') open.disk.markRecording()
      await runChild(open)
      if (!closed) await options.measure()
      // The first scan finds what changed during the snapshot.
      if (!closed) await open.lock.run(() => checkDisk(open, 'position'))
    },
    stop: () => child?.stop(),
    close: async () => {
      closed = true
      child?.stop()
      await child?.done.catch(() => {})
    }
  }
}
