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
  /** Runs the child, or does not start it if a signal came first. Resolves when it has ended, never rejects. */
  run(options: ChildOptions): Promise<ChildResult>
  release(): void
}

/** A terminal sends Ctrl-C to parent and child alike; without one the parent has to pass it on. */
export function raiseShield(): SignalShield {
  const always: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
  const typed: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGQUIT']
  const passTyped = process.platform !== 'win32' && !hasTerminal()
  let early: NodeJS.Signals | null = null
  let onSignal = (signal: NodeJS.Signals): void => {
    early ??= signal
  }
  const listener = (signal: NodeJS.Signals): void => onSignal(signal)
  for (const signal of [...always, ...typed]) process.on(signal, listener)
  return {
    run: async (options) => {
      if (early) {
        return {
          exitCode: codeOf(early),
          failure: `${early} came before ${options.command} was started, so nothing ran.`
        }
      }
      const result = await start(options, (kill) => {
        onSignal = (signal) => {
          if (always.includes(signal) || passTyped) kill(signal)
        }
      })
      // The run is being closed. Whoever insists gets out; the run then shows as interrupted, with all it wrote.
      let insisted = 0
      onSignal = () => {
        if (++insisted === 2) process.exit(result.exitCode)
      }
      return result
    },
    release: () => {
      for (const signal of [...always, ...typed]) process.off(signal, listener)
    }
  }
}

function codeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0)
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
      resolve({ exitCode: signal ? codeOf(signal) : (code ?? 1), failure: '' })
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
