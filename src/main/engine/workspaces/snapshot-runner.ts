/**
 * Runs a workspace's initial snapshot in a child process with low priority, one at a time, and stops it while the disk
 * is nearly full.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { DriftlineError, type ErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { checkDisk } from '../drift/check.ts'
import { isDiskFull, requireDiskSpace } from '../files/disk-space.ts'
import { type ProcessId, processStart } from '../ports/processes.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import type { OpenWorkspace } from './workspace.ts'

/** Argument of the child (ingest-child.ts), as JSON. */
export interface SnapshotRequest {
  readonly root: string
  readonly storeFile: string
  readonly boundaries: readonly string[]
  readonly settings: CaptureSettings
}
export type SnapshotMessage = { readonly progress: CopyProgress } | { readonly failed: ErrorShape }

interface Running {
  readonly child: ChildProcess
  readonly done: Promise<void>
}

interface SnapshotRunnerOptions {
  readonly program: string
  settings(): CaptureSettings
  /** Measures the storage that counts for the budget, once the snapshot is complete. */
  measure(): Promise<unknown>
  /** `progress` changed. */
  onProgress(): void
}

export function createSnapshotRunner(open: OpenWorkspace, options: SnapshotRunnerOptions) {
  const { root, store, boundaries, space } = open
  let progress: CopyProgress | null = null
  let running: Running | null = null
  let stopped = false
  let needsRoom = false
  let closed = false

  const stop = (): void => {
    stopped = true
    running?.child.kill('SIGTERM')
  }
  const onProgress = (reported: CopyProgress): void => {
    progress = reported
    if (space.measure().low) needsRoom = true
    if (needsRoom) stop()
    options.onProgress()
  }
  const start = (): Running => {
    transact(store, (tx) => writeMeta(tx, 'coverage', 'copying'))
    progress = { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0, counted: false }
    stopped = false
    const request = { root, storeFile: store.file, boundaries: [...boundaries], settings: options.settings() }
    const child = forkLowPriority(options.program, request)
    const done = endOf(child, onProgress, () => stopped)
    const id: ProcessId = { pid: child.pid ?? 0, start: processStart(child.pid ?? 0) }
    transact(store, (tx) => writeMeta(tx, 'copier', JSON.stringify(id)))
    return { child, done }
  }
  const runChild = async (): Promise<void> => {
    const started = start()
    running = started
    try {
      await started.done
    } catch (error) {
      transact(store, (tx) => writeMeta(tx, 'coverage', 'partial'))
      if (isDiskFull(error)) space.reportFull()
      if (needsRoom) requireDiskSpace(space)
      throw error
    } finally {
      running = null
      progress = null
      open.notifyChanged(['status'])
      options.onProgress()
    }
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
     * Starts the snapshot or continues one that was stopped. Resolves when it is complete. Throws DiskFull and
     * Cancelled.
     */
    run: async (): Promise<void> => {
      if (running) return running.done
      open.refreshWorktrees()
      needsRoom = space.measure().low
      requireDiskSpace(space)
      // Changes during the snapshot of a new folder are recorded after it. Before a continued snapshot nothing was
      // recording.
      if (readMeta(store, 'coverage') === 'none') open.disk.markRecording()
      await runChild()
      if (!closed) await options.measure()
      // The first scan finds what changed during the snapshot.
      if (!closed) await open.lock.run(() => checkDisk(open, 'position'))
    },
    stop,
    /** Stops it for good; resolves when its process has ended. */
    close: async (): Promise<void> => {
      closed = true
      stop()
      await running?.done.catch(() => {})
    }
  }
}

function forkLowPriority(program: string, request: SnapshotRequest): ChildProcess {
  const child = fork(program, [JSON.stringify(request)], {
    // A message is a few numbers: JSON is cheaper than structured clone.
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: []
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Only a courtesy to other programs: where the system refuses it, the snapshot runs with normal priority.
  }
  return child
}

/** Resolves when the snapshot is complete; rejects if it failed or was stopped (Cancelled). What was recorded stays. */
function endOf(
  child: ChildProcess,
  onProgress: (progress: CopyProgress) => void,
  wasStopped: () => boolean
): Promise<void> {
  let failure: ErrorShape | null = null
  child.on('message', (value) => {
    const message = value as SnapshotMessage
    if ('progress' in message) onProgress(message.progress)
    else failure = message.failed
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (failure) return reject(new DriftlineError(failure.code, failure.message, failure.data))
      if (code === 0) return resolve()
      const [reason, ending] = wasStopped()
        ? (['Cancelled', 'was stopped'] as const)
        : (['Bug', `ended early (${signal ?? `exit code ${code}`})`] as const)
      const message = `The initial snapshot ${ending}. Files recorded so far are protected. Add the folder again to continue.`
      reject(new DriftlineError(reason, message))
    })
  })
  // Its owner may wait for it only later: a failure before that is not unhandled.
  done.catch(() => {})
  return done
}
