/** The process that copies a large folder, with low priority, as its parent sees it. */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { DriftlineError, type ErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { ListedFolder } from '../capture/listed-folders.ts'
import type { NamesMessage, SnapshotMessage, SnapshotRequest } from './snapshot-messages.ts'

export interface SnapshotChild {
  /** Sends listed folders, null after the last. Resolves when more can be sent; rejects as `done` if the child ended. */
  send(listed: readonly ListedFolder[] | null): Promise<unknown>
  /** Whether nothing else was recorded. Rejects if it failed or was stopped (Cancelled); what it recorded stays. */
  readonly done: Promise<boolean>
  stop(): void
}

/**
 * So many messages wait for the child, which writes to the disk between two of them, so that all folders are watched soon. They take
 * some 2 MB.
 */
const MOST_WAITING = 30

export function startSnapshotChild(
  program: string,
  request: SnapshotRequest,
  onProgress: (progress: CopyProgress) => void
): SnapshotChild {
  const child = forkLowPriority(program, request)
  /** Messages for which its pipe has no room yet. */
  let waiting = 0
  let stopped = false
  const done = endOf(child, onProgress, () => stopped)
  // Its owner may wait for it only later: a failure before that is not unhandled.
  done.catch(() => {})
  return {
    send: async (listed) => {
      const message: NamesMessage = { listed }
      if (!child.connected) return await done
      waiting++
      const sent = new Promise((resolve) => void child.send(message, resolve)).finally(() => waiting--)
      return waiting > MOST_WAITING ? await sent : null
    },
    done,
    stop: () => {
      stopped = true
      child.kill('SIGTERM')
    }
  }
}

const { PRIORITY_BELOW_NORMAL } = constants.priority
/** On Linux that of the thread that writes. Those that read get a lower one (snapshot-threads.ts). */
const PRIORITY = process.platform === 'linux' ? PRIORITY_BELOW_NORMAL / 2 : PRIORITY_BELOW_NORMAL

function forkLowPriority(program: string, request: SnapshotRequest): ChildProcess {
  const child = fork(program, [JSON.stringify(request)], {
    // Messages are names and numbers: JSON is cheaper than structured clone.
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: []
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY)
  } catch {
    // Only a courtesy to other programs: where the system refuses it, the snapshot runs with normal priority.
  }
  return child
}

function endOf(
  child: ChildProcess,
  onProgress: (progress: CopyProgress) => void,
  wasStopped: () => boolean
): Promise<boolean> {
  let failure: ErrorShape | null = null
  let isAlone = false
  child.on('message', (value) => {
    const message = value as SnapshotMessage
    if ('progress' in message) onProgress(message.progress)
    else if ('isAlone' in message) isAlone = message.isAlone
    else failure = message.failed
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (failure) return reject(fromShape(failure))
      if (code === 0) return resolve(isAlone)
      reject(
        wasStopped()
          ? endedEarly('Cancelled', 'was stopped')
          : endedEarly('Bug', `ended early (${signal ?? `exit code ${code}`})`)
      )
    })
  })
}

/** Of an initial snapshot. */
export function endedEarly(code: 'Cancelled' | 'Bug', ending: string): DriftlineError {
  const text = `The initial snapshot ${ending}. Files recorded so far are protected. Add the folder again to continue.`
  return new DriftlineError(code, text)
}

export function fromShape({ code, message, data }: ErrorShape): DriftlineError {
  return new DriftlineError(code, message, data)
}
