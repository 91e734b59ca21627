/**
 * The command of `driftline run`. It shares the terminal, gets the signals meant for it, and is never stopped by the
 * recorder: recording problems are reported after it ends.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { programStart } from '../engine/ports/programs.ts'

export interface ChildResult {
  /** As in a shell (POSIX, 2.8.2): the child's own code, 128+n for signal n, 127 not found, 126 not executable. */
  readonly exitCode: number
  /** The reason why it could not be started, else "". */
  readonly failure: string
}

interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Redirects the child's stdout to stderr: with `--json`, stdout carries the document alone. */
  readonly stdoutToStderr: boolean
  /** Its streams, instead of those of this process. */
  readonly stdio?: StdioOptions
  readonly onStart?: (child: ChildProcess) => void
}

/**
 * While the shield is raised, signals meant for the child do not end this process. It is raised before the run begins,
 * so that a signal in between cannot leave a live run behind. A terminal sends Ctrl-C to parent and child alike;
 * without a terminal the parent forwards it.
 */
export function raiseShield() {
  const forwarded: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
  const fromKeyboard: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGQUIT']
  const forwardKeyboard = process.platform !== 'win32' && !hasTerminal()
  let early: NodeJS.Signals | null = null
  let beforeSignal = (): void => {}
  let onSignal = (signal: NodeJS.Signals): void => {
    early ??= signal
  }
  const listener = (signal: NodeJS.Signals): void => {
    beforeSignal()
    onSignal(signal)
  }
  for (const signal of [...forwarded, ...fromKeyboard]) process.on(signal, listener)
  return {
    /** `act` is called on each signal, before the child gets it: a frozen child takes none. */
    onFrozen(act: () => void): void {
      beforeSignal = act
    },
    /** Runs the child, unless a signal arrived before. Resolves when it has ended; never rejects. */
    async run(options: ChildOptions): Promise<ChildResult> {
      if (early) {
        return {
          exitCode: codeOf(early),
          failure: `${early} arrived before ${options.command} was started. Nothing ran.`
        }
      }
      const result = await start(options, (kill) => {
        onSignal = (signal) => {
          if (forwarded.includes(signal) || forwardKeyboard) kill(signal)
        }
      })
      // The child has ended and its run is being closed. A second signal exits at once: the run then shows as
      // interrupted, with all its edits.
      let repeated = 0
      onSignal = () => {
        if (++repeated === 2) process.exit(result.exitCode)
      }
      return result
    },
    release(): void {
      for (const signal of [...forwarded, ...fromKeyboard]) process.off(signal, listener)
    }
  }
}

function codeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0)
}

function start(options: ChildOptions, onStart: (kill: (signal: NodeJS.Signals) => void) => void): Promise<ChildResult> {
  const stdio: StdioOptions = options.stdio ?? ['inherit', options.stdoutToStderr ? 2 : 'inherit', 'inherit']
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(startFailure(options.command, error))
    let child: ChildProcess
    try {
      const { cwd, env } = options
      const { file, args, verbatim } = programStart(options.command, options.args, { cwd, env })
      child = spawn(file, [...args], { stdio, cwd, env, windowsVerbatimArguments: verbatim })
    } catch (error) {
      // Arguments that cannot be passed, such as one with a zero byte.
      failed(error as NodeJS.ErrnoException)
      return
    }
    onStart((signal) => child.kill(signal))
    options.onStart?.(child)
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
      ? `${command} was not found. Nothing ran.`
      : `Couldn’t start ${command} (${error.code ?? error.message}). Nothing ran.`
  }
}

/** True when this process has a controlling terminal, even if its streams are redirected. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // ENXIO or ENOENT: no controlling terminal.
    return false
  }
}
