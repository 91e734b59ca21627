/** A recorded folder and a home folder in which a real agent works with the fake model, and its recorded history. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import {
  type CallResult,
  type CliProject,
  createCliProject,
  waitForExit,
  waitForOutput
} from '../main/cli/cli-project.ts'
import { ignoreEnded } from './end-recorder.ts'
import { besideModel, programOf } from './installed-agents.ts'
import { CLI } from './programs.ts'
import { type RealAgent, settle } from './real-agents.ts'
import { startInTerminal, type Terminal } from './terminal.ts'

export interface RunShown {
  readonly id: string
  readonly title: string
  readonly agent: string
  readonly session: string | null
  readonly state: string
  readonly turns: number
  readonly files: number
  readonly note: string
}

interface SaidMessage {
  readonly role: string
  readonly text: string
  readonly superseded: boolean
}

export interface AgentProject extends AsyncDisposable {
  readonly place: CliProject
  /** The home folder of the agent and of Driftline. */
  readonly home: string
  /** Sends a prompt and waits until the agent is idle. */
  ask(prompt: string, session?: string | null): Promise<CallResult>
  /** Runs commands of Driftline, each of which must succeed. */
  run(...commands: readonly (readonly string[])[]): Promise<void>
  /** The same for one that has to be run by a person. */
  runInTerminal(words: readonly string[]): Promise<void>
  start(prompt: string, session?: string | null): ChildProcess
  sit(prompt: string, session?: string | null): Terminal
  /** Returns everything sent to the model since the last call, as one text. */
  sent(): string
  /** Newest first. */
  runs(): Promise<RunShown[]>
  /** Attribution of the files a run changed, by path. */
  changed(run: string): Promise<Record<string, string>>
  /** The active messages of a conversation. */
  said(session: string, role?: 'user' | 'assistant'): Promise<string[]>
  /** The recorded output of its commands. */
  printed(): Promise<string[]>
}

/** Creates the project: a recorded folder with `app.txt` and a connected agent. */
export async function createAgentProject(agent: RealAgent): Promise<AgentProject> {
  // Codex does not like its folder below the one for temporary files.
  const home = realpathSync(mkdtempSync(join(homedir(), '.driftline-agents-')))
  const place = createCliProject(home)
  const requests = join(home, 'requests.jsonl')
  const started: ChildProcess[] = []
  const env = { ...place.env, ...agent.env }
  const wordsFor = (words: readonly string[]) => {
    const first = agent.before === undefined ? [] : ['sh', '-c', `"$0" ${agent.before} && exec "$0" "$@"`]
    return [...besideModel(requests), ...first, programOf(agent.program) ?? '', ...words]
  }
  const kept = (child: ChildProcess): ChildProcess => {
    started.push(child)
    return child
  }

  const start = (prompt: string, session: string | null = null): ChildProcess => {
    const [program = '', ...words] = wordsFor(agent.ask(prompt, session))
    return kept(spawn(program, words, { cwd: place.root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }))
  }

  const run = async (...commands: readonly (readonly string[])[]): Promise<void> => {
    for (const words of commands) {
      const { code, out, err } = await place.call(words)
      expect(code, `driftline ${words.join(' ')}: ${out}${err}`).toBe(0)
    }
  }

  const runInTerminal = async (words: readonly string[]): Promise<void> => {
    const terminal = startInTerminal([process.execPath, CLI, ...words], { cwd: place.root, env: place.env })
    kept(terminal.child)
    const [code] = await once(terminal.child, 'close')
    expect(code, terminal.shown()).toBe(0)
  }

  settle(agent, home, place.root)
  place.write('app.txt', 'red\n')
  await run(['add'], ['connect', agent.id])
  return {
    place,
    home,
    run,
    runInTerminal,
    start,
    ask: async (prompt, session = null) => {
      const called = await waitForExit(start(prompt, session))
      expect(called.code, `${called.out}${called.err}`).toBe(0)
      return called
    },
    sit: (prompt, session = null) => {
      const words = agent.sit?.(prompt, session)
      if (!words) throw new Error(`${agent.id} is not driven in a terminal`)
      const terminal = startInTerminal(wordsFor(words), { cwd: place.root, env })
      kept(terminal.child)
      return terminal
    },
    sent: () => {
      const text = existsSync(requests) ? readFileSync(requests, 'utf8') : ''
      writeFileSync(requests, '')
      return text
    },
    runs: async () => (await place.json<{ entries: RunShown[] }>(['log', '--kind', 'run'])).doc.entries,
    changed: async (run) => {
      const { doc } = await place.json<{ files: { path: string; attribution: string }[] }>(['diff', run])
      return Object.fromEntries(doc.files.map((file) => [file.path, file.attribution]))
    },
    said: async (session, role = 'user') =>
      (await place.json<{ messages: SaidMessage[] }>(['messages', session])).doc.messages
        .filter((message) => !message.superseded && message.role === role)
        .map((message) => message.text),
    printed: async () => {
      const { doc } = await place.json<{ workspace: { id: string } }>(['status'])
      const store = openStore(storeFile(place.data, doc.workspace.id))
      try {
        return (store.db.prepare('SELECT text FROM call_output ORDER BY rowid').all() as { text: string }[]).map(
          (one) => one.text
        )
      } finally {
        store.close()
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map(killTree))
      place.remove()
    }
  }
}

/** Kills a process and its descendants, including those in other process groups, as programs in a terminal have. */
export async function killTree(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const over = new Promise((done) => child.once('exit', done))
  for (const pid of withDescendants(child.pid)) ignoreEnded(() => process.kill(pid, 'SIGKILL'))
  await over
}

function withDescendants(pid: number): number[] {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n')
  const pairs = listed.map((line) => line.trim().split(/\s+/).map(Number))
  const found = [pid]
  for (const parent of found) found.push(...pairs.flatMap(([id = 0, above]) => (above === parent ? [id] : [])))
  return found
}

/** A recorder that stays until it is disposed of. */
export async function startRecorder(place: CliProject): Promise<AsyncDisposable> {
  const child = place.start(['serve', '--no-open', '--stay'])
  const ended = waitForExit(child)
  await waitForOutput(child.stdout!, '#token=')
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    }
  }
}
