/** Ends the recorders and other processes that tests leave behind. */
import { readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { errorCode } from '../../src/main/engine/files/fs-errors.ts'
import { isAlive } from '../../src/main/engine/ports/processes.ts'
import { readEngineFile } from '../../src/main/host/engine-file.ts'

/** Kills the recorder of a data folder, if it has one, and waits until it is gone: Windows deletes no file that it has open. */
export async function endRecorder(dataDir: string): Promise<void> {
  const pid = readEngineFile(dataDir)?.pid
  if (pid !== undefined) await endProcess(pid)
}

/** Kills a process, if it is alive, and waits until it is gone. */
export async function endProcess(pid: number): Promise<void> {
  const isGone = (): boolean => !isAlive({ pid, start: '' })
  if (isGone()) return
  process.kill(pid, 'SIGKILL')
  await vi.waitUntil(isGone, { timeout: 10_000, interval: 10 })
}

/**
 * Kills the processes with this home folder: a recorder that a command started and that is not in engine.json yet, or the
 * far end of a connection. Linux only.
 */
export function killProcessesAt(home: string): void {
  for (const pid of processesAt(home)) ignoreEnded(() => process.kill(pid, 'SIGKILL'))
}

/** Ignores that the process has ended. */
export function ignoreEnded(kill: () => void): void {
  try {
    kill()
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function processesAt(home: string): number[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const isAt = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)
    } catch (error) {
      if (errorCode(error) === '') throw error
      // It ended meanwhile, or is another user's.
      return false
    }
  }
  return pids
    .filter(isAt)
    .map(Number)
    .filter((pid) => pid !== process.pid)
}
