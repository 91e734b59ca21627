/** Takes a workspace's first copy in a process of its own, once at a time, and holds it while the disk is nearly full. */
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { SnapshotProcess, startSnapshotProcess } from '../capture/snapshot-process.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { type ProcessId, processStart } from '../ports/processes.ts'
import { isDiskFull, requireDiskSpace } from './disk-space.ts'
import type { Recorder } from './recorder.ts'

export interface SnapshotRunner {
  /** Of the copy that runs now, else null. */
  readonly progress: CopyProgress | null
  /** It was stopped or refused because the disk is nearly full: it goes on when there is room. */
  readonly waitsForSpace: boolean
  /** Starts it, or goes on with one that was stopped. Resolves when it is complete. Throws DiskFull and Cancelled. */
  run(recorder: Recorder): Promise<void>
  stop(): void
  /** Stops it for good; resolves when its process has ended. */
  close(): Promise<void>
}

export interface SnapshotRunnerOptions {
  readonly start: typeof startSnapshotProcess
  readonly program: string
  readonly storeFile: string
  choices(): CaptureSettings
  /** Counts what the budget counts, once the copy is complete. */
  measure(): Promise<unknown>
  /** Its progress is another one. */
  onProgress(): void
}

export function createSnapshotRunner(options: SnapshotRunnerOptions): SnapshotRunner {
  let progress: CopyProgress | null = null
  let baseline: SnapshotProcess | null = null
  let needsRoom = false
  let closed = false

  const start = ({ root, store, boundaries, space }: Recorder): SnapshotProcess => {
    write(store.db, () => store.setMeta('coverage', 'copying'))
    progress = { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0, counted: false }
    const started = options.start(
      options.program,
      { root, storeFile: options.storeFile, boundaries: [...boundaries], choices: options.choices() },
      ({ files, filesTotal, bytes, counted }) => {
        progress = { files, filesTotal, bytes, bytesTotal: 0, counted }
        if (space.measure().low) needsRoom = true
        if (needsRoom) baseline?.stop()
        options.onProgress()
      }
    )
    const copier: ProcessId = { pid: started.pid, start: processStart(started.pid) }
    write(store.db, () => store.setMeta('copier', JSON.stringify(copier)))
    return started
  }

  const copy = async (recorder: Recorder): Promise<void> => {
    const { store, space } = recorder
    baseline = start(recorder)
    try {
      await baseline.done
    } catch (error) {
      write(store.db, () => store.setMeta('coverage', 'partial'))
      if (isDiskFull(error)) space.reportFull()
      if (needsRoom) requireDiskSpace(space)
      throw error
    } finally {
      baseline = null
      progress = null
      recorder.notifyChanged(['status'])
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
    run: async (recorder) => {
      if (baseline) return baseline.done
      recorder.refreshWorktrees()
      needsRoom = recorder.space.measure().low
      requireDiskSpace(recorder.space)
      // What changes while a new folder is copied is recorded, only later; after a copy that was cut off nobody did.
      if (recorder.store.meta('coverage') === 'none') recorder.checkedAt = recorder.now()
      await copy(recorder)
      if (!closed) await options.measure()
      // What changed while it was copied is found by the first complete look.
      if (!closed) await recorder.lock.run(() => checkDisk(recorder, 'position'))
    },
    stop: () => baseline?.stop(),
    close: async () => {
      closed = true
      baseline?.stop()
      await baseline?.done.catch(() => {})
    }
  }
}
