/** A recorded folder and a data folder of its own on the real disk, and the real `driftline` process run in them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const CLI = resolve('src/main/cli.ts')
/** Lets one start of the sources profit from the last one. */
const CACHE = join(tmpdir(), 'driftline-test-compile-cache')

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
  /** Runs `driftline` with these words, in the recorded folder unless `cwd` says another. */
  call(words: readonly string[], cwd?: string): Promise<CallResult>
  /** The same with `--json`; checks that stdout is exactly one JSON document. */
  json<T = Record<string, unknown>>(words: readonly string[], cwd?: string): Promise<{ code: number | null; doc: T }>
  /** The process itself. It has no terminal, whatever the tests were started from. */
  start(words: readonly string[], cwd?: string): ChildProcess
  write(path: string, content: string | Buffer): void
  read(path: string): string
  remove(): void
}

/** In a new temporary folder, or in an empty one that is given. */
export function createCliProject(
  base: string = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-cli-')))
): CliProject {
  const root = join(base, 'app')
  const data = join(base, 'data')
  mkdirSync(root)
  const { DRIFTLINE_RUN: _, NO_COLOR: __, DISPLAY: ___, WAYLAND_DISPLAY: ____, ...rest } = process.env
  const env = { ...rest, HOME: base, DRIFTLINE_DATA: data, NODE_COMPILE_CACHE: CACHE }
  const start = (words: readonly string[], cwd = root): ChildProcess =>
    spawn(process.execPath, [CLI, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const call = (words: readonly string[], cwd = root): Promise<CallResult> => waitForExit(start(words, cwd))
  return {
    root,
    data,
    env,
    start,
    call,
    json: async <T>(words: readonly string[], cwd = root) => {
      const end = words.indexOf('--')
      const all = end === -1 ? [...words, '--json'] : [...words.slice(0, end), '--json', ...words.slice(end)]
      const called = await call(all, cwd)
      const text = called.out.toString('utf8')
      if (text.trimEnd().includes('\n')) throw new Error(`more than one line on stdout: ${text}`)
      try {
        return { code: called.code, doc: JSON.parse(text) as T }
      } catch {
        throw new Error(`no JSON on stdout of ${words.join(' ')}: "${text}" ${called.err}`)
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

/** Everything a process printed, once it has ended. */
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

/** Resolves once the stream has said `words`. */
export function waitForOutput(stream: NodeJS.ReadableStream, words: string): Promise<string> {
  let text = ''
  return new Promise((done, fail) => {
    stream.on('data', (data: Buffer) => {
      text += data.toString('utf8')
      if (text.includes(words)) done(text)
    })
    stream.once('end', () => fail(new Error(`ended without "${words}": ${text}`)))
  })
}
