/** Runs the initial snapshot in a child process with low priority and reports its progress. */
import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { DriftlineError, type ErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { CaptureSettings } from './capture-settings.ts'

/** Argument of the child (ingest-child.ts), as JSON. */
export interface SnapshotRequest {
  readonly root: string
  readonly storeFile: string
  readonly boundaries: readonly string[]
  readonly settings: CaptureSettings
}
export type SnapshotMessage = { readonly progress: CopyProgress } | { readonly failed: ErrorShape }

export interface SnapshotProcess {
  /** Resolves when the snapshot is complete; rejects if it failed or was stopped (Cancelled). What was recorded stays. */
  readonly done: Promise<void>
  stop(): void
  readonly pid: number
}

export function startSnapshotProcess(
  program: string,
  order: SnapshotRequest,
  onProgress: (progress: CopyProgress) => void
): SnapshotProcess {
  const child = fork(program, [JSON.stringify(order)], {
    // A message is a few numbers: JSON is cheaper than structured clone.
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: []
  })
  let stopped = false
  let failure: ErrorShape | null = null
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // Only a courtesy to other programs: where the system refuses it, the snapshot runs with normal priority.
    }
  }
  child.on('message', (value) => {
    const message = value as SnapshotMessage
    if ('progress' in message) onProgress(message.progress)
    else failure = message.failed
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (failure) reject(new DriftlineError(failure.code, failure.message, failure.data))
      else if (code === 0) resolve()
      else {
        const [reason, happened] = stopped
          ? (['Cancelled', 'was stopped'] as const)
          : (['Bug', `ended early (${signal ?? `exit code ${code}`})`] as const)
        const message = `The initial snapshot ${happened}. Files recorded so far are protected. Add the folder again to continue.`
        reject(new DriftlineError(reason, message))
      }
    })
  })
  // Its owner may wait for `done` only later: a failure before that is not unhandled.
  done.catch(() => {})
  return {
    done,
    pid: child.pid ?? 0,
    stop: () => {
      stopped = true
      child.kill('SIGTERM')
    }
  }
}
