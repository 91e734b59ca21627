/**
 * A shell of a POSIX system, to start several programs one after another: for a process that holds much memory, starting one
 * by itself takes 10 ms or more, for a shell one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { quoteShell } from '../../../contract/words/shell.ts'

export interface Shell extends Disposable {
  /**
   * Starts a program, once those before it have ended, and returns what it printed. Throws what it printed if it fails. `limit`: ms.
   * One that takes longer is killed, but not waited for, because one that waits for a disk ends only with that; it fails, and so do
   * all after it.
   */
  run(command: Command, limit: number): Promise<string>
}

type Command = readonly [program: string, ...args: string[]]

/** How long a shell that nobody uses is kept, ms. */
const KEEP_MS = 60_000

interface IdleShell {
  readonly shell: StartedShell
  /** Ends it after a time. */
  readonly timer: NodeJS.Timeout
}

/** Of this process; null while there is none. */
let idle: IdleShell | null = null

/**
 * To be disposed; what it was given is still done. It is kept for the next caller: starting a shell shares all memory of this process
 * with it for a moment, and from then on each page costs more where it is written for the first time.
 */
export function openShell(): Shell {
  const shell = takeIdle() ?? startShell()
  return { run: shell.run, [Symbol.dispose]: () => keepIdle(shell) }
}

function takeIdle(): StartedShell | null {
  if (!idle) return null
  const { shell, timer } = idle
  idle = null
  clearTimeout(timer)
  if (shell.hasFailed()) return null
  shell.hold(true)
  return shell
}

function keepIdle(shell: StartedShell): void {
  if (idle || shell.hasFailed()) {
    shell.end()
    return
  }
  shell.hold(false)
  const timer = setTimeout(() => {
    idle = null
    shell.end()
  }, KEEP_MS)
  timer.unref()
  idle = { shell, timer }
}

interface StartedShell extends Pick<Shell, 'run'> {
  hasFailed(): boolean
  /** Whether this process waits for it. If not, it ends with this process. */
  hold(isHeld: boolean): void
  /** Ends it after what it was given. */
  end(): void
}

interface Waiting {
  readonly program: string
  readonly limit: number
  resolve(output: string): void
  reject(error: Error): void
}

function startShell(): StartedShell {
  // A group of its own, which is killed as a whole.
  const child = spawn('/bin/sh', [], { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting: Waiting[] = []
  let output = ''
  let failure: Error | null = null
  let timer: NodeJS.Timeout | undefined
  const fail = (error: Error): void => {
    failure ??= error
    clearTimeout(timer)
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  const begin = (): void => {
    clearTimeout(timer)
    const next = waiting[0]
    if (!next) return
    timer = setTimeout(() => {
      fail(new Error(`${next.program} did not end within ${next.limit / 1000} s`))
      killGroup(child)
    }, next.limit)
  }
  child.on('error', fail)
  child.on('exit', () => fail(new Error('/bin/sh has ended')))
  // It may have ended before it reads.
  child.stdin.on('error', fail)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const parts = output.split(END)
    for (; parts.length > 2; begin()) {
      const [printed, code] = parts.splice(0, 2) as [string, string]
      const ended = waiting.shift()
      if (code === '0') ended?.resolve(printed)
      else ended?.reject(new Error(printed.trim() || `${ended.program} ended with ${code}`))
    }
    output = parts.join(END)
  })
  return {
    run: (command, limit) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure)
          return
        }
        child.stdin.write(`${command.map(quoteShell).join(' ')} 2>&1 </dev/null; printf '\\000%s\\000' $?\n`)
        if (waiting.push({ program: command[0], limit, resolve, reject }) === 1) begin()
      }),
    hasFailed: () => failure !== null,
    hold: (isHeld) => {
      for (const each of [child, child.stdin as Socket, child.stdout as Socket]) {
        if (isHeld) each.ref()
        else each.unref()
      }
    },
    end: () => child.stdin.end()
  }
}

/** Around the exit code of each program. No path holds it, so no message about one does. */
const END = '\0'

/** Does not wait for their end: a process that waits for the disk lives on. */
function killGroup(child: ChildProcessByStdio<Writable, Readable, null>): void {
  child.stdin.destroy()
  child.stdout.destroy()
  child.unref()
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
