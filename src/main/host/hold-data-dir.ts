/** The first step of every process that opens the history: one at a time holds a data folder. */
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import { isAlive } from '../engine/ports/processes.ts'
import { acquireHostLock, type HeldLock } from '../engine/store/host-lock.ts'
import { ensureDataDir } from './data-dir.ts'
import { type EngineFile, readEngineFile, removeEngineFile } from './engine-file.ts'
import { writeLastEnd } from './last-end.ts'

/** Creates the data folder if it is missing and holds it. Throws `SecondHost` while another process does. */
export function holdDataDir(dataDir: string): HeldLock {
  ensureDataDir(dataDir)
  const lock = acquireHostLock(dataDir)
  if (!lock) throw heldByAnotherError(dataDir)
  return lock
}

/** Time between two attempts, ms. */
const POLL_MS = 20

/**
 * As holdDataDir, but waits up to `ms` for a holder that engine.json does not name, or that is dead: one that has just
 * started, or is about to end.
 */
export async function holdDataDirSoon(dataDir: string, ms: number): Promise<HeldLock> {
  for (const end = performance.now() + ms; ; await pause(POLL_MS)) {
    try {
      return holdDataDir(dataDir)
    } catch (error) {
      const isHeld = error instanceof DriftlineError && error.code === 'SecondHost'
      if (!isHeld || livingRecorder(dataDir) || performance.now() > end) throw error
    }
  }
}

/** The error while another process holds the data folder. */
function heldByAnotherError(dataDir: string): DriftlineError {
  const running = readEngineFile(dataDir)
  const owner = running ? `process ${running.pid}` : 'another process'
  return new DriftlineError(
    'SecondHost',
    `Driftline already runs on ${dataDir} (${owner}). Nothing was changed. Wait until it ends, or choose another data folder with --data.`,
    { dataDir, ...(running && { pid: running.pid }) }
  )
}

/** The process that engine.json names, if it is still alive. */
export function livingRecorder(dataDir: string): EngineFile | null {
  const file = readEngineFile(dataDir)
  return file && isAlive({ pid: file.pid, start: file.start ?? '' }) ? file : null
}

/**
 * Whether a process holds the data folder. A recorder does as long as it lives, so without one, another process got the
 * number that engine.json names: only Linux tells the two apart by their start.
 */
export function isHeld(dataDir: string): boolean {
  const lock = acquireHostLock(dataDir)
  lock?.release()
  return lock === null
}

/**
 * Ends a recorder that does not answer, and never another process that got its number. Nothing is lost: what it has
 * committed is safe, and the next one compares the folders.
 */
export function endSilentRecorder(dataDir: string, { pid }: EngineFile): void {
  if (!isHeld(dataDir)) return
  process.kill(pid, 'SIGKILL')
  writeLastEnd(dataDir, { at: Date.now(), why: 'stopped' })
  removeEngineFile(dataDir, pid)
}

/** The error for a recorder that is alive and does not answer: it hangs, or a signal stopped it. */
export function noAnswerError({ pid, kind }: EngineFile): DriftlineError {
  const help =
    kind === 'electron'
      ? 'Quit the app, then repeat the command.'
      : '`driftline recorder stop` ends it, and the next command starts another.'
  return new DriftlineError(
    'NoAnswer',
    `The recorder (process ${pid}) does not answer: it hangs, a signal stopped it, or another program holds its files. What is recorded is safe. The next command shows whether this one took effect. ${help}`,
    { pid }
  )
}
