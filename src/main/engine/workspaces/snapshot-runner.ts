/**
 * Runs a workspace's initial snapshot, one at a time, and stops it while the disk is nearly full: of a small folder in
 * this process, of any other in a child process with low priority.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DriftlineError, type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { findShared } from '../capture/adopt-shared.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { takeInitialSnapshot } from '../capture/initial-snapshot.ts'
import { isSmallFolder, MOST_NAMES } from '../capture/small-folder.ts'
import { readBatch, type SnapshotJob } from '../capture/snapshot-batch.ts'
import { type SnapshotProgress, snapshotNames } from '../capture/snapshot-names.ts'
import { checkDisk } from '../drift/check.ts'
import { isDiskFull, requireDiskSpace } from '../files/disk-space.ts'
import { beginTask, type ProcessId, processStart } from '../ports/processes.ts'
import { checkpointLog, withoutBusyTimeout } from '../store/maintenance.ts'
import { bumpRev, readMeta, writeMeta } from '../store/meta.ts'
import { hasMorePending } from '../store/paths.ts'
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
  readonly process: ProcessId
  /** Rejects if the snapshot failed or was stopped (Cancelled); what was recorded stays. */
  readonly done: Promise<void>
  stop(): void
}

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
  const { root, store, boundaries, space } = open
  let progress: CopyProgress | null = null
  let running: Running | null = null
  let stopped = false
  let needsRoom = false
  let closed = false
  let settled: Promise<unknown> = Promise.resolve()

  const stop = (): void => {
    stopped = true
    running?.stop()
  }
  const onProgress = (reported: CopyProgress): void => {
    progress = reported
    if (space.measure().low) needsRoom = true
    if (needsRoom) stop()
    options.onProgress()
  }
  const startChild = (): Running => {
    const request = { root, storeFile: store.file, boundaries: [...boundaries], settings: options.settings() }
    return runChild(options.program, request, onProgress, () => stopped)
  }
  const start = (): Running => {
    transact(store, (tx) => writeMeta(tx, 'coverage', 'copying'))
    progress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
    stopped = false
    const main = options.sharesWith()
    const started = main
      ? runShared(open, main, onProgress, startChild)
      : isSmallFolder(open)
        ? runHere(open, onProgress)
        : startChild()
    transact(store, (tx) => writeMeta(tx, 'copier', JSON.stringify(started.process)))
    return started
  }
  const runToEnd = async (): Promise<void> => {
    running = start()
    try {
      await running.done
    } catch (error) {
      transact(store, (tx) => writeMeta(tx, 'coverage', 'partial'))
      if (isDiskFull(error)) space.reportFull()
      if (needsRoom) requireDiskSpace(space, 'The initial snapshot is not complete.')
      throw error
    } finally {
      running = null
      progress = null
      open.notifyChanged(['status'])
      options.onProgress()
    }
  }

  const run = async (onCopied: () => void): Promise<void> => {
    if (running) return running.done
    open.refreshWorktrees()
    needsRoom = space.measure().low
    requireDiskSpace(space, 'The initial snapshot is not complete.')
    // Changes during the snapshot of a new folder are recorded after it. Before a continued snapshot nothing was
    // recording.
    if (readMeta(store, 'coverage') === 'none') open.disk.markRecording()
    await runToEnd()
    onCopied()
    if (!closed) await options.measure()
    // The first scan finds what changed during the snapshot.
    if (!closed) await open.lock.run(() => checkDisk(open, 'position'))
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

/** [WT-1] Only what differs from the main folder is read: here if that is little, else by a child process. */
function runShared(
  open: OpenWorkspace,
  main: OpenWorkspace,
  onProgress: (progress: CopyProgress) => void,
  startChild: () => Running
): Running {
  let rest: Running | null = null
  let stopped = false
  const run = async (): Promise<void> => {
    const named: SnapshotProgress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
    const find = findShared(
      { id: open.workspace.id, root: open.root, store: open.store, rules: open.rules },
      { id: main.workspace.id, root: main.root, store: main.store }
    )
    for (const _ of snapshotNames(open, named, find)) {
      await nextTurn()
      if (stopped) throw endedEarly('Cancelled', 'was stopped')
    }
    transact(open.store, bumpRev)
    rest = hasMorePending(open.store, MOST_NAMES) ? startChild() : runHere(open, onProgress, named)
    await rest.done
  }
  const stop = (): void => {
    stopped = true
    rest?.stop()
  }
  return { ...asTask(run()), stop }
}

/** A step holds the thread for at most one batch of files. `named`: all names are recorded. */
function runHere(open: OpenWorkspace, onProgress: (progress: CopyProgress) => void, named?: SnapshotProgress): Running {
  const { root, store, rules, boundaries } = open
  let stopped = false
  const run = async (jobs: readonly SnapshotJob[]) => {
    await nextTurn()
    if (stopped) throw endedEarly('Cancelled', 'was stopped')
    return readBatch(root, jobs)
  }
  const pool = { size: 1, run }
  const options = { root, store, rules, boundaries, pool, onProgress, ...(named ? { named } : {}) }
  const done = takeInitialSnapshot(options).catch((error: unknown) => {
    throw fromShape(toErrorShape(error))
  })
  const stop = (): void => {
    stopped = true
  }
  return { ...asTask(done), stop }
}

function runChild(
  program: string,
  request: SnapshotRequest,
  onProgress: (progress: CopyProgress) => void,
  wasStopped: () => boolean
): Running {
  const child = forkLowPriority(program, request)
  return {
    process: { pid: child.pid ?? 0, start: processStart(child.pid ?? 0) },
    done: handled(endOf(child, onProgress, wasStopped)),
    stop: () => void child.kill('SIGTERM')
  }
}

/** Of a snapshot in this process. */
function asTask(done: Promise<void>): Pick<Running, 'process' | 'done'> {
  const task = beginTask()
  return { process: task.owner, done: handled(done.finally(() => task[Symbol.dispose]())) }
}

/** Its owner may wait for it only later: a failure before that is not unhandled. */
function handled(done: Promise<void>): Promise<void> {
  done.catch(() => {})
  return done
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
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (failure) return reject(fromShape(failure))
      if (code === 0) return resolve()
      reject(
        wasStopped()
          ? endedEarly('Cancelled', 'was stopped')
          : endedEarly('Bug', `ended early (${signal ?? `exit code ${code}`})`)
      )
    })
  })
}

function endedEarly(code: 'Cancelled' | 'Bug', ending: string): DriftlineError {
  const text = `The initial snapshot ${ending}. Files recorded so far are protected. Add the folder again to continue.`
  return new DriftlineError(code, text)
}

function fromShape({ code, message, data }: ErrorShape): DriftlineError {
  return new DriftlineError(code, message, data)
}
