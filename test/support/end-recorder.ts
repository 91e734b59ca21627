/** Ends the recorders that tests leave behind. */
import { vi } from 'vitest'
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
