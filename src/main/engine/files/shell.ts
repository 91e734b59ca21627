/**
 * A shell of a POSIX system, to start several programs one after another: for a process that holds much memory, starting one
 * by itself takes 10 ms or more, for a shell one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export interface Shell extends Disposable {
  /**
   * Starts a program, once those before it have ended, and returns what it printed. Throws what it printed if it fails, and for
   * all that are left when one has not ended within the limit.
   */
  run(command: readonly [program: string, ...args: string[]]): Promise<string>
}

interface Waiting {
  readonly program: string
  resolve(output: string): void
  reject(error: Error): void
}

/** `limit`: ms for a program. One that takes longer is killed, but not waited for: one that waits for a disk ends only with that. */
export function startShell(limit: number): Shell {
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
      fail(new Error(`${next.program} did not end within ${limit / 1000} s`))
      killGroup(child)
    }, limit)
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
    run: (command) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure)
          return
        }
        child.stdin.write(`${command.map(quoted).join(' ')} 2>&1 </dev/null; printf '\\000%s\\000' $?\n`)
        if (waiting.push({ program: command[0], resolve, reject }) === 1) begin()
      }),
    [Symbol.dispose]: () => child.stdin.end()
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

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
