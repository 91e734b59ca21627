/** Starts crash-child.ts and waits for its exit. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { CrashOrder } from './crash-child.ts'
import { TEST_PROGRAMS } from './programs.ts'
import type { RecordedFolder } from './recorded-folder.ts'

export const CRASH_PROGRAM = TEST_PROGRAMS['crash-child']

export type Work = CrashOrder extends infer O
  ? O extends CrashOrder
    ? Omit<O, 'dataDir' | 'workspace' | 'root'>
    : never
  : never

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
  /** The last that it sent. */
  readonly message: unknown
}

/** How a process ends that kills itself: Windows has no signals. */
export const KILLED = process.platform === 'win32' ? { code: 1 } : { signal: 'SIGKILL' }

type FolderIds = Pick<RecordedFolder, 'dataDir' | 'workspace' | 'root'>

export function orderFor({ dataDir, workspace, root }: FolderIds, work: Work): string {
  return JSON.stringify({ dataDir, workspace, root, ...work })
}

export function startCrashChild(folder: FolderIds, work: Work): { child: ChildProcess; ended: Promise<Ended> } {
  const child = fork(CRASH_PROGRAM, [orderFor(folder, work)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: []
  })
  let errors = ''
  child.stderr?.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  let message: unknown
  child.on('message', (sent) => {
    message = sent
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors, message }) as Ended)
  return { child, ended }
}

export function runCrashChild(folder: FolderIds, work: Work): Promise<Ended> {
  return startCrashChild(folder, work).ended
}
