/** Starts the recorder in the background. Hooks wait for this module, so it imports little. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { isAlive } from '../engine/ports/processes.ts'

/**
 * `starting`: it has not ended. `failed`: it could not start, or not open the history. `another`: another process
 * records this data folder.
 */
type RecorderState = 'starting' | 'failed' | 'another'

/** Exit codes of the recorder. */
export const RECORDER_EXIT = { ended: 0, failed: 1, anotherRuns: 3 } as const

/**
 * How many threads V8 starts to collect garbage and to compile. By default there are four: they cost memory, and on a small
 * computer they take turns with the recorder's own.
 */
export const NODE_OPTIONS = process.versions.electron ? [] : ['--v8-pool-size=1']

/** A recorder that was started; it may still be starting. */
export interface StartedRecorder {
  readonly state: () => RecorderState
}

/** Set to `off` where no process may stay in the background: commands and hooks then open the history themselves. */
export function mayStartRecorder(env: NodeJS.ProcessEnv): boolean {
  return env.DRIFTLINE_RECORDER !== 'off'
}

/** The recorder that the launcher has started for this process: "PID FOLDER". What this process starts must not inherit it. */
let launched = process.env.DRIFTLINE_STARTED_RECORDER
delete process.env.DRIFTLINE_STARTED_RECORDER

/** The recorder that the launcher has started; null without one, and when it was given before. Its exit code is not known. */
function launchedRecorder(dataDir: string): StartedRecorder | null {
  const [, pid, folder] = /^(\d+) (.*)$/s.exec(launched ?? '') ?? []
  launched = undefined
  if (folder !== dataDir) return null
  return { state: () => (isAlive({ pid: Number(pid), start: '' }) ? 'starting' : 'another') }
}

/**
 * Starts `program` for a data folder, in a session of its own, and does not wait. Never throws. The first time, it is the one that
 * the launcher has started (bin/driftline).
 */
export function startRecorder(program: string, dataDir: string): StartedRecorder {
  return launchedRecorder(dataDir) ?? spawnRecorder(program, dataDir)
}

function spawnRecorder(program: string, dataDir: string): StartedRecorder {
  let state: RecorderState = 'starting'
  try {
    const child = spawnDetached(process.execPath, [...NODE_OPTIONS, program, `--data=${dataDir}`], 'node')
    child.once('error', () => {
      state = 'failed'
    })
    child.once('exit', (code) => {
      state = code === RECORDER_EXIT.anotherRuns ? 'another' : 'failed'
    })
  } catch {
    // Expected: EAGAIN, EPERM. A sandbox may refuse processes.
    state = 'failed'
  }
  return { state: () => state }
}

/** A process that outlives this one. It must not join the run that may have started it. */
export function spawnDetached(file: string, args: readonly string[], program: 'node' | 'window') {
  const { DRIFTLINE_RUN: _run, ELECTRON_RUN_AS_NODE: runsAsNode, ...env } = process.env
  if (program === 'node' && runsAsNode !== undefined) env.ELECTRON_RUN_AS_NODE = runsAsNode
  const child = spawn(file, [...args], { detached: true, stdio: 'ignore', cwd: dirname(file), env, windowsHide: true })
  child.unref()
  return child
}
