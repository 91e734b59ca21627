/** A folder and a data folder on the real disk, and the command line to run in them: in this process, or as users start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { main } from '../../../src/main/cli/main.ts'
import { openClient, PATIENCE, type Patience } from '../../../src/main/cli/open-client.ts'
import type { HookEvent } from '../../../src/main/engine/agents/hook-event.ts'
import { spoolEvent } from '../../../src/main/engine/agents/spool-event.ts'
import { ownProcess } from '../../../src/main/engine/ports/processes.ts'
import { VERSION } from '../../../src/main/version.ts'
import { killProcessesAt } from '../../support/end-recorder.ts'
import { CLI, COMMAND_PROGRAMS } from '../../support/programs.ts'
import { addFolder } from '../../support/recorded-folder.ts'
import { memorySink } from './memory-sink.ts'

export interface CallResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: Buffer
  readonly err: string
}

/** An event of an agent, as its hook gets it. */
export interface HookPayload {
  readonly hook_event_name: string
  readonly session_id: string
  readonly cwd: string
  readonly [key: string]: unknown
}

export interface CliProject extends Disposable {
  readonly root: string
  readonly data: string
  readonly env: NodeJS.ProcessEnv
  /** Records the folder as `add` does, without the process that takes an initial snapshot. Only as the first one. */
  add(): Promise<void>
  /** Records the changes of `work` as one run, as `run` does those of a command. Returns its id. */
  run(title: string, work: () => void): Promise<string>
  /** Saves an event of Claude Code as its hook does when no recorder answers. The next command records it. */
  spool(payload: HookPayload): void
  /**
   * Runs one command line in this process, with the built engine, in `cwd`, by default the recorded folder. What its own
   * child prints is not in the result.
   */
  call(args: readonly string[], cwd?: string, patience?: Patience): Promise<CallResult>
  /** As `call`, for a person who reads on a terminal, but cannot answer. */
  callOnTerminal(args: readonly string[]): Promise<CallResult>
  /** As `call` with `--json`; checks that stdout is exactly one JSON document. */
  json<T = Record<string, unknown>>(
    args: readonly string[],
    cwd?: string,
    patience?: Patience
  ): Promise<{ code: number | null; doc: T }>
  /** Starts the real `driftline`. It has no controlling terminal, even if the tests have one. */
  start(args: readonly string[], cwd?: string): ChildProcess
  /** As `call`, in a process of its own. */
  callProcess(args: readonly string[], cwd?: string): Promise<CallResult>
  write(path: string, content: string | Buffer): void
  read(path: string): string
  /** Kills what still runs with its home folder, and deletes the folders. */
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
  const env = { ...rest, HOME: base, USERPROFILE: base, DRIFTLINE_DATA: data, ...more }
  const start = (args: readonly string[], cwd = root): ChildProcess =>
    spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const restore = { ...process.env }
  const callTo = async (
    isTerminal: boolean,
    args: readonly string[],
    cwd = root,
    patience = PATIENCE
  ): Promise<CallResult> => {
    // What an engine reads of its process. The calls of a project may overlap, so it stays until the project is removed.
    setEnvironment(env)
    const [out, err] = [memorySink(isTerminal), memorySink(isTerminal)]
    const invocation = { argv: args, env, version: VERSION, programs: COMMAND_PROGRAMS, cwd: () => cwd, patience }
    const code = await main(invocation, out, err)
    return { code, signal: null, out: out.bytes(), err: err.text() }
  }
  const call: CliProject['call'] = (...all) => callTo(false, ...all)
  const remove = (): void => {
    setEnvironment(restore)
    killProcessesAt(base)
    // Windows deletes no file of a process that is still ending: each attempt waits 100 ms longer.
    rmSync(base, { recursive: true, force: true, maxRetries: 15 })
  }
  return {
    root,
    data,
    env,
    add: async () => {
      await addFolder(root, data)
    },
    run: async (title, work) => {
      setEnvironment(env)
      const { client, close } = await openClient(data, COMMAND_PROGRAMS)
      const { workspace } = await client.call('workspaces.find', { folder: root })
      const { pid, start: pidStart } = ownProcess()
      const begun = { workspace: workspace.id, title, agent: 'command', pid, pidStart }
      const { run } = await client.call('run.begin', begun)
      work()
      await client.call('run.end', { workspace: workspace.id, run, exitCode: 0 })
      await close()
      return run
    },
    spool: (payload) => spoolEvent(data, hookEventOf(payload)),
    start,
    call,
    callOnTerminal: (args) => callTo(true, args),
    callProcess: (args, cwd = root) => waitForExit(start(args, cwd)),
    json: async <T>(args: readonly string[], cwd = root, patience = PATIENCE) => {
      const end = args.indexOf('--')
      const all = end === -1 ? [...args, '--json'] : [...args.slice(0, end), '--json', ...args.slice(end)]
      const called = await call(all, cwd, patience)
      return { code: called.code, doc: documentOf<T>(called) }
    },
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remove,
    [Symbol.dispose]: remove
  }
}

let lastEventAt = 0

function hookEventOf(payload: HookPayload): HookEvent {
  // Each is later than the one before, however fast they come.
  lastEventAt = Math.max(lastEventAt + 1, Date.now())
  const event = payload.hook_event_name
  return {
    id: `${lastEventAt}-${event}`,
    agent: 'claude-code',
    event,
    at: lastEventAt,
    payload,
    process: ownProcess()
  }
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  Object.assign(process.env, env)
}

/** The only document on the stdout of a call with `--json`. */
export function documentOf<T>({ out, err }: CallResult): T {
  const text = out.toString('utf8')
  if (text.trimEnd().includes('\n')) throw new Error(`more than one line on stdout: ${text}`)
  try {
    return JSON.parse(text) as T
  } catch {
    throw new Error(`no JSON on stdout: "${text}" ${err}`)
  }
}

/** Resolves with the output and exit code of a process. */
export function waitForExit(child: ChildProcess): Promise<CallResult> {
  const out = child.stdout && collect(child.stdout)
  const err = child.stderr && collect(child.stderr)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => {
      done({
        code,
        signal,
        out: Buffer.concat(out?.parts ?? []),
        err: Buffer.concat(err?.parts ?? []).toString('utf8')
      })
    })
  })
}

/**
 * Resolves with the output so far once it contains `expected`, also if that was printed since the first call for this
 * stream or its process.
 */
export function waitForOutput(stream: NodeJS.ReadableStream, expected: string): Promise<string> {
  const output = collect(stream)
  const { parts } = output
  return new Promise((done, fail) => {
    const check = (): void => {
      const text = Buffer.concat(parts).toString('utf8')
      if (text.includes(expected)) done(text)
    }
    stream.on('data', check)
    const end = (): void => fail(new Error(`ended without "${expected}": ${Buffer.concat(parts).toString('utf8')}`))
    stream.once('end', end)
    check()
    if (output.hasEnded) end()
  })
}

interface Output {
  readonly parts: Buffer[]
  hasEnded: boolean
}

const collected = new WeakMap<NodeJS.ReadableStream, Output>()

/** All that a stream prints from the first call on. */
function collect(stream: NodeJS.ReadableStream): Output {
  const known = collected.get(stream)
  if (known) return known
  const output: Output = { parts: [], hasEnded: false }
  stream.on('data', (data: Buffer) => output.parts.push(data))
  stream.once('end', () => {
    output.hasEnded = true
  })
  collected.set(stream, output)
  return output
}
