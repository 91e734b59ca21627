/** Starts the app in the background: the Electron window if its binary is installed, else the headless host. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import { isAlive } from '../engine/ports/processes.ts'
import { type EngineFile, readEngineFile } from '../host/engine-file.ts'
import { spawnDetached } from '../host/start-recorder.ts'

/** How long a host may take to announce its URL, ms. */
const START_TIMEOUT_MS = 15_000

interface WindowProgram {
  readonly file: string
  readonly args: readonly string[]
}

/** The program that shows a window, null when Electron is not installed. `root` is the folder with package.json. */
export function windowProgram(root: string): WindowProgram | null {
  // In the packaged app this command already runs in the app's own binary.
  if (process.versions.electron) return { file: process.execPath, args: [] }
  const home = join(root, 'node_modules', 'electron')
  let name: string
  try {
    name = readFileSync(join(home, 'path.txt'), 'utf8').trim()
  } catch {
    // ENOENT: the binary was not downloaded.
    return null
  }
  const file = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist'), name)
  return existsSync(file) ? { file, args: [root] } : null
}

/**
 * Opens a window on a folder; a running app shows the folder in its existing window. Fails with `Bug` when it cannot
 * start.
 */
export function startWindow(program: WindowProgram, dataDir: string, folder: string): Promise<void> {
  return spawned(program.file, [...program.args, `--data=${dataDir}`, `--folder=${folder}`], 'window')
}

/** Starts the headless host and waits until it listens. Fails with `Bug` when it does not in time. */
export async function startHeadlessHost(serveProgram: string, dataDir: string): Promise<EngineFile & { url: string }> {
  await spawned(process.execPath, [serveProgram, '--no-open', `--data=${dataDir}`], 'node')
  const end = Date.now() + START_TIMEOUT_MS
  while (Date.now() < end) {
    const file = readEngineFile(dataDir)
    // A host that crashed left its file behind.
    if (file?.url && isAlive({ pid: file.pid, start: '' })) return { ...file, url: file.url }
    await pause(50)
  }
  throw new DriftlineError(
    'Bug',
    'Couldn’t start the app. The history is safe. `driftline serve` starts it in this terminal and shows the error.'
  )
}

/** Waits until the program runs. */
async function spawned(file: string, args: readonly string[], program: 'node' | 'window'): Promise<void> {
  try {
    await once(spawnDetached(file, args, program), 'spawn')
  } catch (error) {
    throw new DriftlineError('Bug', `Couldn’t start ${file}: ${(error as Error).message}. The history is safe.`)
  }
}
