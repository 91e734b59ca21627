/** Runs the command of `driftline run` in the same terminal and passes signals on; nothing here ever stops it. */
import { type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'

export interface ChildResult {
  /** As a shell tells it: the child's own code, 128+n for a signal, 127 not found, 126 not executable. */
  readonly exitCode: number
  /** A sentence when it could not be started, else "". */
  readonly failure: string
}

export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Sends the child's stdout to our stderr, so that stdout stays ours. */
  readonly stdoutToStderr: boolean
}

/** From here on this process outlives the signals meant for the child, until `release`. */
export interface SignalShield {
  /** Runs the child; resolves when it has ended. Never rejects. */
  run(options: ChildOptions): Promise<ChildResult>
  release(): void
}

/** A terminal sends Ctrl-C to parent and child alike; without one the parent has to pass it on. */
export function raiseShield(): SignalShield {
  const always: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
  const typed: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGQUIT']
  const passTyped = process.platform !== 'win32' && !hasTerminal()
  let kill: (signal: NodeJS.Signals) => void = () => {}
  const listeners = [...always, ...typed].map((signal) => {
    const passes = always.includes(signal) || passTyped
    const listener = (): void => {
      if (passes) kill(signal)
    }
    process.on(signal, listener)
    return { signal, listener }
  })
  return {
    run: async (options) => {
      const result = await start(options, (send) => {
        kill = send
      })
      kill = () => {}
      return result
    },
    release: () => {
      for (const { signal, listener } of listeners) process.off(signal, listener)
    }
  }
}

function start(options: ChildOptions, onStart: (kill: (signal: NodeJS.Signals) => void) => void): Promise<ChildResult> {
  const stdio: StdioOptions = ['inherit', options.stdoutToStderr ? 2 : 'inherit', 'inherit']
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(startFailure(options.command, error))
    let child: ReturnType<typeof spawn>
    try {
      child = spawn(options.command, [...options.args], { stdio, cwd: options.cwd, env: options.env })
    } catch (error) {
      // Arguments no program can be given, such as a zero byte.
      failed(error as NodeJS.ErrnoException)
      return
    }
    onStart((signal) => child.kill(signal))
    child.once('error', failed)
    child.once('exit', (code, signal) => {
      resolve({ exitCode: signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1), failure: '' })
    })
  })
}

function startFailure(command: string, error: NodeJS.ErrnoException): ChildResult {
  const missing = error.code === 'ENOENT' || error.code === 'ENOTDIR'
  return {
    exitCode: missing ? 127 : 126,
    failure: missing
      ? `${command} was not found, so nothing ran.`
      : `${command} could not be started (${error.code ?? error.message}), so nothing ran.`
  }
}

/** True when this process has a controlling terminal, whatever its streams are connected to. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // ENXIO or ENOENT: there is none.
    return false
  }
}
