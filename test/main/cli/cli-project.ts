/** A folder and a data folder on the real disk, and the real `driftline` process to run in them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLI } from '../../support/programs.ts'

export interface CallResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: Buffer
  readonly err: string
}

export interface CliProject {
  readonly root: string
  readonly data: string
  readonly env: NodeJS.ProcessEnv
  /** Runs `driftline` with these arguments in `cwd`, by default the recorded folder. */
  call(args: readonly string[], cwd?: string): Promise<CallResult>
  /** As `call` with `--json`; checks that stdout is exactly one JSON document. */
  json<T = Record<string, unknown>>(args: readonly string[], cwd?: string): Promise<{ code: number | null; doc: T }>
  /** Starts the process. It has no controlling terminal, even if the tests have one. */
  start(args: readonly string[], cwd?: string): ChildProcess
  write(path: string, content: string | Buffer): void
  read(path: string): string
  remove(): void
}

/** Creates the folders in `base`, by default a new temporary folder. `more`: variables of its processes. */
export function createCliProject(
  base: string = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-cli-'))),
  more: NodeJS.ProcessEnv = {}
): CliProject {
  const root = join(base, 'app')
  const data = join(base, 'data')
  mkdirSync(root)
  const { DRIFTLINE_RUN: _, NO_COLOR: __, DISPLAY: ___, WAYLAND_DISPLAY: ____, ...rest } = process.env
  const env = { ...rest, HOME: base, DRIFTLINE_DATA: data, ...more }
  const start = (args: readonly string[], cwd = root): ChildProcess =>
    spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const call = (args: readonly string[], cwd = root): Promise<CallResult> => waitForExit(start(args, cwd))
  return {
    root,
    data,
    env,
    start,
    call,
    json: async <T>(args: readonly string[], cwd = root) => {
      const end = args.indexOf('--')
      const all = end === -1 ? [...args, '--json'] : [...args.slice(0, end), '--json', ...args.slice(end)]
      const called = await call(all, cwd)
      const text = called.out.toString('utf8')
      if (text.trimEnd().includes('\n')) throw new Error(`more than one line on stdout: ${text}`)
      try {
        return { code: called.code, doc: JSON.parse(text) as T }
      } catch {
        throw new Error(`no JSON on stdout of ${args.join(' ')}: "${text}" ${called.err}`)
      }
    },
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Resolves with the output and exit code of a process. */
export function waitForExit(child: ChildProcess): Promise<CallResult> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (data: Buffer) => out.push(data))
  child.stderr?.on('data', (data: Buffer) => err.push(data))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => {
      done({ code, signal, out: Buffer.concat(out), err: Buffer.concat(err).toString('utf8') })
    })
  })
}

/** Resolves with the output so far once it contains `expected`. */
export function waitForOutput(stream: NodeJS.ReadableStream, expected: string): Promise<string> {
  let text = ''
  return new Promise((done, fail) => {
    stream.on('data', (data: Buffer) => {
      text += data.toString('utf8')
      if (text.includes(expected)) done(text)
    })
    stream.once('end', () => fail(new Error(`ended without "${expected}": ${text}`)))
  })
}
