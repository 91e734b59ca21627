/** Starts the first copy in a niced child process and reports its progress. */
import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { DriftlineError, type ErrorShape } from '../../../contract/errors.ts'
import type { CaptureSettings } from './capture-settings.ts'

/** What the child is told (ingest-child.ts). */
export interface SnapshotRequest {
  readonly root: string
  readonly storeFile: string
  readonly boundaries: readonly string[]
  readonly choices: CaptureSettings
}
export type SnapshotMessage =
  | {
      readonly type: 'progress'
      readonly files: number
      readonly filesTotal: number
      readonly bytes: number
      readonly counted: boolean
    }
  | { readonly type: 'failed'; readonly error: ErrorShape }

export interface SnapshotProcess {
  /** Settles when the copy is complete; rejects when it failed or was stopped (Cancelled). What was copied stays. */
  readonly done: Promise<void>
  stop(): void
  readonly pid: number
}

export function startSnapshotProcess(
  program: string,
  order: SnapshotRequest,
  onProgress: (message: SnapshotMessage & { type: 'progress' }) => void
): SnapshotProcess {
  const child = fork(program, [JSON.stringify(order)], {
    // Structured clone would copy more; progress is a few numbers.
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
      // Lower priority is a courtesy: where the system refuses it the copy runs as it is.
    }
  }
  child.on('message', (message) => {
    const told = message as SnapshotMessage
    if (told.type === 'progress') onProgress(told)
    else failure = told.error
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (failure) reject(new DriftlineError(failure.code, failure.message, failure.data))
      else if (code === 0) resolve()
      else if (stopped)
        reject(
          new DriftlineError(
            'Cancelled',
            'The first copy was stopped. What was copied so far is kept and protected; add the folder again to go on.'
          )
        )
      else
        reject(
          new DriftlineError(
            'Bug',
            `The first copy ended early (${signal ?? `exit code ${code}`}). What was copied so far is kept; add the folder again to go on.`
          )
        )
    })
  })
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
