/** Starts crash-child.ts and waits for its end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CrashOrder } from './crash-child.ts'
import type { Recorded } from './recorded.ts'

const PROGRAM = join(import.meta.dirname, 'crash-child.ts')

type Work = CrashOrder extends infer O
  ? O extends CrashOrder
    ? Omit<O, 'dataDir' | 'workspace' | 'root'>
    : never
  : never

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
}

export function startCrashChild(
  folder: Pick<Recorded, 'dataDir' | 'workspace' | 'root'>,
  work: Work
): { child: ChildProcess; ended: Promise<Ended> } {
  const order = { dataDir: folder.dataDir, workspace: folder.workspace, root: folder.root, ...work }
  const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  let errors = ''
  child.stderr?.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }) as Ended)
  return { child, ended }
}

export function runCrashChild(folder: Pick<Recorded, 'dataDir' | 'workspace' | 'root'>, work: Work): Promise<Ended> {
  return startCrashChild(folder, work).ended
}
