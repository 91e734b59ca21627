/** Starts the app in the background: the Electron window where its program is here, else the headless host. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import { type EngineFile, readEngineFile } from '../host/engine-file.ts'

/** How long a host may take to say where it listens, in ms. */
const START_BUDGET = 15_000

interface WindowProgram {
  readonly file: string
  readonly args: readonly string[]
}

/** The program that shows a window, null when Electron is not installed. `root` is the folder with package.json. */
export function windowProgram(root: string): WindowProgram | null {
  // The packaged app runs this command with its own program.
  if (process.versions.electron) return { file: process.execPath, args: [] }
  const home = join(root, 'node_modules', 'electron')
  let name: string
  try {
    name = readFileSync(join(home, 'path.txt'), 'utf8').trim()
  } catch {
    // ENOENT: nothing was downloaded.
    return null
  }
  const file = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist'), name)
  return existsSync(file) ? { file, args: [root] } : null
}

/** Opens a window on a folder; a running app shows it in the window it has. Fails with `Bug` when it cannot start. */
export function startWindow(program: WindowProgram, dataDir: string, folder: string): Promise<void> {
  return started(program.file, [...program.args, `--data=${dataDir}`, `--folder=${folder}`], { asNode: false })
}

/** Starts the headless host and waits until it listens. Fails with `Bug` when it does not in time. */
export async function startHeadlessHost(serveProgram: string, dataDir: string): Promise<EngineFile & { url: string }> {
  await started(process.execPath, [serveProgram, '--no-open', `--data=${dataDir}`], { asNode: true })
  const end = Date.now() + START_BUDGET
  while (Date.now() < end) {
    const file = readEngineFile(dataDir)
    if (file?.url && isRunning(file.pid)) return { ...file, url: file.url }
    await pause(50)
  }
  throw new DriftlineError(
    'Bug',
    'The app did not start. Everything recorded is safe; `driftline serve` starts it in this terminal and says why.'
  )
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // ESRCH: a host that died left its file.
    return false
  }
}

function started(file: string, args: readonly string[], { asNode }: { readonly asNode: boolean }): Promise<void> {
  // The app outlives the run it may have been opened from, so it does not belong to it.
  const { DRIFTLINE_RUN: _run, ELECTRON_RUN_AS_NODE: runsAsNode, ...env } = process.env
  if (asNode && runsAsNode !== undefined) env.ELECTRON_RUN_AS_NODE = runsAsNode
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], { detached: true, stdio: 'ignore', cwd: dirname(file), env })
    child.once('error', (error) =>
      reject(new DriftlineError('Bug', `${file} could not be started: ${error.message}. Everything recorded is safe.`))
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
