/** The command of a host as a connection: a shell there, first asked in lines, then a stream of bytes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { posix, win32 } from 'node:path'
import { Duplex } from 'node:stream'
import { DriftlineError } from '../../contract/errors.ts'
import { clip } from '../../contract/words/text.ts'

/** Most that a login may print before our script answers, bytes. */
const GREETING_LIMIT = 1024 * 1024

/** How the command is started. */
export interface HostTerms {
  /**
   * Where its questions and errors go: to the terminal of this process, or as text to a function. With that it has no
   * terminal, so that it cannot wait for an answer that nobody can give.
   */
  readonly printed: 'terminal' | ((text: string) => void)
  /** Ends it; the reason says why. */
  readonly signal?: AbortSignal
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'mksh', 'zsh'])

/** The words that start a POSIX shell on the host: `ssh box` is `ssh box sh`, whatever the login shell is. */
export function shellCommand(command: readonly string[]): readonly string[] {
  const last = command.at(-1) ?? ''
  return SHELLS.has(posix.basename(win32.basename(last))) ? command : [...command, 'sh']
}

export interface HostShell {
  /** The words of the next line that the script printed with its marker. Fails with HostUnreachable at the end. */
  next(): Promise<readonly string[]>
  send(data: string | Uint8Array): Promise<void>
  /** What follows the last line that was read, and what is sent from now on. */
  stream(): Duplex
  close(): void
}

/** Starts the command of the host `name`. Lines without `marker` are what the login prints, and are skipped. */
export function startHostCommand(
  name: string,
  command: readonly string[],
  marker: string,
  { printed, signal }: HostTerms
): HostShell {
  const words = shellCommand(command)
  const child = spawn(words[0] as string, words.slice(1), {
    stdio: ['pipe', 'pipe', printed === 'terminal' ? 'inherit' : 'pipe'],
    // A session of its own: ssh asks the terminal of its session, wherever its streams lead.
    detached: printed !== 'terminal' && process.platform !== 'win32',
    env: environmentOfHosts(),
    windowsHide: true
  }) as unknown as ChildProcessWithoutNullStreams
  const end = new Promise<string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? `“${words[0]}” is not on the PATH` : error.message)
    })
    child.once('close', (code, status) => resolve(status ? `ended by ${status}` : `exit code ${code}`))
  })
  child.stdin.on('error', () => {})
  if (printed !== 'terminal') child.stderr.setEncoding('utf8').on('data', printed)
  const close = (): void => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    child.kill()
  }
  signal?.addEventListener('abort', close, { once: true })
  if (signal?.aborted) close()
  child.once('close', () => signal?.removeEventListener('abort', close))
  const nextLine = createLineReader(child)
  return {
    next: async () => {
      for (;;) {
        const line = await nextLine()
        if (signal?.aborted) throw unreachable(name, words, String(signal.reason))
        if (line === 'endless') throw unreachable(name, words, 'it prints without end')
        if (line === null) throw unreachable(name, words, await end)
        if (line.text.startsWith(`${marker} `)) return line.text.slice(marker.length + 1).split(' ')
      }
    },
    // EPIPE once the command has ended: `next` reports the end.
    send: (data) => new Promise((resolve) => child.stdin.write(data, () => resolve())),
    stream: () => {
      const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
      child.once('close', () => stream.destroy())
      stream.once('close', close)
      return stream
    },
    close
  }
}

/** A host is another machine: what is set for Driftline on this one is nothing to it. */
function environmentOfHosts(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DRIFTLINE_')))
}

/** Reads lines and nothing beyond: the rest stays in the stream. Null at the end, `endless` over the limit of all lines. */
function createLineReader({ stdout }: ChildProcessWithoutNullStreams) {
  let total = 0
  return async (): Promise<{ readonly text: string } | 'endless' | null> => {
    let read = Buffer.alloc(0)
    for (;;) {
      const end = read.indexOf('\n')
      if (end !== -1) {
        if (end + 1 < read.length) stdout.unshift(read.subarray(end + 1))
        total += end + 1
        return total > GREETING_LIMIT ? 'endless' : { text: read.toString('utf8', 0, end) }
      }
      if (total + read.length > GREETING_LIMIT) return 'endless'
      const chunk = (stdout.read() as Buffer | null) ?? (await nextChunk(stdout))
      if (chunk === null) return null
      read = Buffer.concat([read, chunk])
    }
  }
}

async function nextChunk(stdout: ChildProcessWithoutNullStreams['stdout']): Promise<Buffer | null> {
  while (!stdout.readableEnded && !stdout.destroyed) {
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        for (const event of ['readable', 'end', 'close']) stdout.off(event, settle)
        resolve()
      }
      for (const event of ['readable', 'end', 'close']) stdout.on(event, settle)
    })
    const chunk = stdout.read() as Buffer | null
    if (chunk !== null) return chunk
  }
  return null
}

function unreachable(name: string, words: readonly string[], why: string): DriftlineError {
  return new DriftlineError(
    'HostUnreachable',
    `Couldn’t reach ${name}: \`${clip(words.join(' '), 120)}\` gave no connection (${why}). Nothing was changed there. The command must end in a shell on that machine and must not open a terminal; try it in a terminal.`,
    { host: name }
  )
}
