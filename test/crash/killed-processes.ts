/** Processes of a project with a recorder in the background: commands and hooks, which are killed now and then. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isAlive } from '../../src/main/engine/ports/processes.ts'
import { readEngineFile } from '../../src/main/host/engine-file.ts'
import { type CallResult, createCliProject, waitForExit } from '../main/cli/cli-project.ts'
import type { Tally } from '../property/tally.ts'
import { HOOK } from '../support/programs.ts'
import { writeFiles } from '../support/tree.ts'
import type { Random } from './random.ts'

/** Longer than most commands take, so that a kill can come at any of their moments, or too late. */
const KILL_WITHIN_MS = 250

type Kill = 'recorder' | 'command'

/** An agent whose hooks are processes; its tools do nothing outside of a turn. */
export interface KilledAgent {
  isLive(): boolean
  prompt(): Promise<void>
  stop(): Promise<void>
  write(path: string, text: string): Promise<void>
  shell(change: () => void): Promise<void>
}

export interface KilledProcesses extends Disposable {
  readonly root: string
  /** Runs `driftline`; kills it or its recorder meanwhile. */
  command(args: readonly string[], kills?: readonly Kill[]): Promise<CallResult>
  /** Runs `driftline`, which must end well. */
  calm(args: readonly string[]): Promise<CallResult>
  /** Chooses what to kill, mostly nothing. */
  kills(): readonly Kill[]
  killRecorder(): void
  createAgent(session: string): KilledAgent
  /** What was called so far, for a failure's message. */
  told(): string
}

const FILES = { a: 'start a\n', b: 'start b\n', 'd/x': 'start x\n', 'd/keep': '', big: 'line\n'.repeat(400_000) }

export function createKilledProcesses(random: Random, played: Tally): KilledProcesses {
  const project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
  const { root, data } = project
  writeFiles(root, FILES)
  const lines: string[] = []
  const recorders = new Set<number>()
  const liveRecorder = (): number | null => {
    const pid = readEngineFile(data)?.pid
    return pid !== undefined && isAlive({ pid, start: '' }) ? pid : null
  }
  const noteRecorder = (): void => {
    const pid = liveRecorder()
    if (pid !== null) recorders.add(pid)
  }
  const killRecorder = (): void => {
    const pid = liveRecorder()
    if (pid !== null) process.kill(pid, 'SIGKILL')
  }
  const command = async (args: readonly string[], kills: readonly Kill[] = []): Promise<CallResult> => {
    const child = project.start(args)
    const timers = kills.map((kill) => {
      const end = kill === 'recorder' ? killRecorder : () => child.kill('SIGKILL')
      return setTimeout(end, random.below(KILL_WITHIN_MS))
    })
    const ended = await waitForExit(child)
    for (const timer of timers) clearTimeout(timer)
    noteRecorder()
    lines.push(`${args.slice(0, 4).join(' ')} [${kills}] -> ${ended.code ?? ended.signal}`)
    if (ended.signal === 'SIGKILL') played.did(`${args[0]} killed`)
    return ended
  }
  const hook = async (session: string, event: string, more: object): Promise<void> => {
    if (liveRecorder() === null) played.did('hook alone')
    const env = { ...project.env, CLAUDE_CONFIG_DIR: join(data, 'claude') }
    const child = spawn(process.execPath, [HOOK, 'hook', 'claude-code', event], { cwd: root, env, stdio: 'pipe' })
    const ended = waitForExit(child)
    child.stdin.end(JSON.stringify({ session_id: session, cwd: root, hook_event_name: event, ...more }))
    const { code, err } = await ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    noteRecorder()
    lines.push(`${session} ${event}`)
  }
  return {
    root,
    command,
    calm: async (args) => {
      const ended = await command(args)
      expect(ended.code, `${lines.join('\n')}\n${ended.err}${ended.out}`).toBe(0)
      return ended
    },
    kills: () => (['recorder', 'command'] as const).filter(() => random.chance(0.25)),
    killRecorder,
    createAgent: (session) =>
      createAgent((event, more = {}) => hook(session, event, more), { root, random, killRecorder }),
    told: () => lines.join('\n'),
    [Symbol.dispose]: () => {
      noteRecorder()
      for (const pid of recorders) if (isAlive({ pid, start: '' })) process.kill(pid, 'SIGKILL')
      project.remove()
    }
  }
}

interface AgentParts {
  readonly root: string
  readonly random: Random
  readonly killRecorder: () => void
}

function createAgent(
  hook: (event: string, more?: object) => Promise<void>,
  { root, random, killRecorder }: AgentParts
): KilledAgent {
  let isLive = false
  let calls = 0
  const tool = async (name: string, input: object, work: () => void): Promise<void> => {
    if (!isLive) return
    const call = { tool_name: name, tool_input: input, tool_use_id: `call ${++calls}` }
    await hook('PreToolUse', call)
    if (random.chance(0.3)) killRecorder()
    work()
    await hook('PostToolUse', call)
    if (random.chance(0.3)) killRecorder()
  }
  return {
    isLive: () => isLive,
    prompt: async () => {
      isLive = true
      await hook('UserPromptSubmit', { prompt: `task ${++calls}` })
    },
    stop: async () => {
      if (isLive) await hook('Stop')
      isLive = false
    },
    write: (path, text) =>
      tool('Write', { file_path: join(root, path), content: text }, () => writeFiles(root, { [path]: text })),
    shell: (work) => tool('Bash', { command: 'make' }, work)
  }
}
