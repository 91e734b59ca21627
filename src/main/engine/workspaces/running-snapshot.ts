/** A running initial snapshot: in this process, in a child process, or of a worktree, with what it shares with the main folder. */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DriftlineError, type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { type FilesAlike, findShared } from '../capture/adopt-shared.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { takeInitialSnapshot } from '../capture/initial-snapshot.ts'
import { MOST_NAMES } from '../capture/small-folder.ts'
import { readBatch, type SnapshotJob } from '../capture/snapshot-batch.ts'
import { type SnapshotProgress, snapshotNames } from '../capture/snapshot-names.ts'
import { createPackedRows } from '../capture/snapshot-rows.ts'
import { OWN_THREAD, openStatService } from '../capture/stat-service.ts'
import { beginTask, type ProcessId, processStart } from '../ports/processes.ts'
import { hasMorePending } from '../store/paths.ts'
import { withoutDeferred } from '../store/sql.ts'
import type { FirstScan } from '../watch/folder-events.ts'
import type { OpenWorkspace } from './workspace.ts'

/** Argument of the child (ingest-child.ts), as JSON. */
export interface SnapshotRequest {
  readonly root: string
  readonly storeFile: string
  readonly boundaries: readonly string[]
  readonly settings: CaptureSettings
}
export type SnapshotMessage = { readonly progress: CopyProgress } | { readonly failed: ErrorShape }

export interface RunningSnapshot {
  readonly process: ProcessId
  /**
   * Rejects if the snapshot failed or was stopped (Cancelled); what was recorded stays. True: it need not be compared with
   * the disk, because the watcher reported every change since it began.
   */
  readonly done: Promise<boolean>
  stop(): void
}

/** [WT-1] Only what differs from the main folder is read: here if that is little, else by a child process. */
export function runShared(
  open: OpenWorkspace,
  main: OpenWorkspace,
  onProgress: (progress: CopyProgress) => void,
  startChild: () => RunningSnapshot
): RunningSnapshot {
  let rest: RunningSnapshot | null = null
  let stopped = false
  const run = async (): Promise<boolean> => {
    const startedAt = open.now()
    const named: SnapshotProgress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
    const alike = findShared(
      { id: open.workspace.id, root: open.root, store: open.store, rules: open.rules },
      { id: main.workspace.id, root: main.root, store: main.store }
    )
    const watched = await open.disk.beginSnapshot()
    const paths = await recordNames(open, named, { alike, scan: watched?.scan ?? null }, () => stopped)
    const isLarge = withoutDeferred(open.store, () => hasMorePending(open.store, MOST_NAMES))
    rest = isLarge ? startChild() : runHere(open, onProgress, named)
    await rest.done
    return watched !== null && open.disk.recordSnapshot(startedAt, paths)
  }
  const stop = (): void => {
    stopped = true
    rest?.stop()
  }
  return { ...asTask(run()), stop }
}

/** As `SnapshotRows.end`. */
async function recordNames(
  open: OpenWorkspace,
  named: SnapshotProgress,
  { alike, scan }: { readonly alike: FilesAlike | null; readonly scan: FirstScan | null },
  isStopped: () => boolean
): Promise<number | null> {
  using rows = createPackedRows(open.store)
  using service = openStatService(open, { root: open.root, paths: alike?.count ?? 0 })
  let paths: number | null = null
  try {
    for (const _ of snapshotNames(open, named, { rows, alike, observer: scan, stats: service ?? OWN_THREAD })) {
      await nextTurn()
      if (isStopped()) throw endedEarly('Cancelled', 'was stopped')
    }
    paths = rows.end()
    return paths
  } finally {
    scan?.end(paths)
  }
}

/** Of a small folder. A step holds the thread for at most one batch of files. `named`: all names are recorded. */
export function runHere(
  open: OpenWorkspace,
  onProgress: (progress: CopyProgress) => void,
  named?: SnapshotProgress
): RunningSnapshot {
  const { root, store, rules, boundaries } = open
  let stopped = false
  const run = async (jobs: readonly SnapshotJob[]) => {
    await nextTurn()
    if (stopped) throw endedEarly('Cancelled', 'was stopped')
    return readBatch(root, jobs)
  }
  const pool = { size: 1, run }
  const options = { root, store, rules, boundaries, pool, onProgress, ...(named ? { named } : {}) }
  const done = takeInitialSnapshot(options).then(
    () => false,
    (error: unknown) => {
      throw fromShape(toErrorShape(error))
    }
  )
  const stop = (): void => {
    stopped = true
  }
  return { ...asTask(done), stop }
}

/** Of any larger folder: a child process with low priority. */
export function runChild(
  program: string,
  request: SnapshotRequest,
  onProgress: (progress: CopyProgress) => void,
  wasStopped: () => boolean
): RunningSnapshot {
  const child = forkLowPriority(program, request)
  return {
    process: { pid: child.pid ?? 0, start: processStart(child.pid ?? 0) },
    done: handled(endOf(child, onProgress, wasStopped).then(() => false)),
    stop: () => void child.kill('SIGTERM')
  }
}

/** Of a snapshot in this process. */
function asTask(done: Promise<boolean>): Pick<RunningSnapshot, 'process' | 'done'> {
  const task = beginTask()
  return { process: task.owner, done: handled(done.finally(() => task[Symbol.dispose]())) }
}

/** Its owner may wait for it only later: a failure before that is not unhandled. */
function handled(done: Promise<boolean>): Promise<boolean> {
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
