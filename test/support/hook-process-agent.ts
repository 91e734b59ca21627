/** An agent process that calls `driftline hook`. It can be killed during its work. Used by tests of the window. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Params } from '../../src/contract/api.ts'
import { readEngineFile } from '../../src/main/host/engine-file.ts'
import { dialHost } from '../../src/main/host/pipe-proof.ts'
import { hostEnv } from './host.ts'
import type { Project } from './project.ts'
import type { AgentFolder } from './transcript-agent.ts'

const LAUNCHER = resolve(import.meta.dirname, '../../bin/driftline')

/** The program of the process: runs one hook per input line and prints its exit code. */
const PROGRAM = `
const { spawnSync } = require('node:child_process')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { args, input } = JSON.parse(line)
  const { status } = spawnSync(process.argv[1], ['hook', ...args], { input, cwd: process.argv[2] })
  console.log(status)
})`

export interface HookProcessAgent extends AgentFolder {
  /** Kills the agent: no further events are sent. */
  die(): Promise<void>
}

/** Starts an agent in a project that a host records. */
export function startHookProcessAgent(on: Project): HookProcessAgent {
  const home = join(on.beside, 'home')
  mkdirSync(home, { recursive: true })
  const env = { ...hostEnv(on.dataDir), DRIFTLINE_DATA: on.dataDir, CLAUDE_CONFIG_DIR: join(home, '.claude') }
  const child = spawn(process.execPath, ['-e', PROGRAM, LAUNCHER, on.root], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hook = async ({ agent, event, payload }: Params<'agent.event'>): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ args: [agent, event], input: JSON.stringify(payload) })}\n`)
    const { value } = await lines.next()
    if (value !== '0') throw new Error(`the hook ended with ${value}`)
  }
  // The only folder of its data folder.
  const [workspace = ''] = readdirSync(join(on.dataDir, 'w'))
  return {
    root: on.root,
    home,
    workspace,
    engine: {
      call: (method, params) => callHost(on.dataDir, method, params) as never,
      callUntyped: (_method, params) => hook(params as Params<'agent.event'>)
    },
    die: () => {
      child.kill('SIGKILL')
      return ended
    }
  }
}

/** Calls one method of the running host. */
async function callHost(dataDir: string, method: string, params: unknown): Promise<unknown> {
  const file = readEngineFile(dataDir)
  if (!file) throw new Error('no host is running')
  const { socket, ready } = dialHost(file)
  await ready
  return new Promise((found, failed) => {
    socket.once('error', failed)
    createInterface({ input: socket }).on('line', (line) => {
      const answer = JSON.parse(line) as { id?: number; result?: unknown; error?: { message: string } }
      if (answer.id !== 1) return
      socket.destroy()
      if (answer.error) failed(new Error(answer.error.message))
      else found(answer.result)
    })
    socket.write(`${JSON.stringify({ id: 1, method, params })}\n`)
  })
}
