/**
 * `driftline hook AGENT EVENT`: what agents call. JSON on stdin; prints nothing and exits 0 in its own deadline, whatever
 * happens (GW-1). Kept apart from the other commands, so that with a host running nearly nothing is loaded.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { shortened } from '../engine/agents/shortened.ts'
import { errorCode } from '../engine/ports/fs-errors.ts'
import { type ProcessId, startOf } from '../engine/ports/processes.ts'
import { dataDirOf } from '../host/data-dir.ts'
import { readEngineFile } from '../host/engine-file.ts'

/** The agent waits this long at most, ms; every agent's own limit is longer. */
const DEADLINE_MS = 2000
/** A host that does not let a hook in within this many ms is taken for absent. */
const CONNECT_MS = 300

export interface HookSurroundings {
  /** Words after `hook`. */
  readonly words: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Takes the event without a host, in this process. */
  takeHere(dataDir: string, told: object): Promise<void>
}

/** Variables that name an agent's project, and where it keeps its own files. */
const PROJECT: Readonly<Record<string, string>> = {
  'claude-code': 'CLAUDE_PROJECT_DIR',
  'gemini-cli': 'GEMINI_PROJECT_DIR',
  'qwen-code': 'QWEN_PROJECT_DIR'
}
const HOME: Readonly<Record<string, string>> = { 'claude-code': 'CLAUDE_CONFIG_DIR', codex: 'CODEX_HOME' }

/** Resolves when the agent may go on. Never rejects, never prints. */
export async function hook(surroundings: HookSurroundings): Promise<void> {
  const { words, env } = surroundings
  const [agent, event] = words
  const dataDir = dataDirOf(undefined)
  // Nothing was ever recorded under this data folder.
  if (!agent || !event || !existsSync(join(dataDir, 'app.db'))) return
  const at = Date.now()
  const parts: Buffer[] = []
  let told: Record<string, unknown> | null = null
  const understand = (): Record<string, unknown> | null => {
    const payload = parse(shortened(Buffer.concat(parts)).toString('utf8'))
    if (payload === null) return null
    const project = env[PROJECT[agent] ?? '']
    const home = env[HOME[agent] ?? '']
    return {
      id: `${at}-${process.pid}-${Math.random().toString(36).slice(2)}`,
      agent,
      event,
      at,
      payload,
      process: agentProcess(),
      ...(project ? { project } : {}),
      ...(home ? { home } : {}),
      ...(env.DRIFTLINE_RUN ? { run: env.DRIFTLINE_RUN } : {})
    }
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DEADLINE_MS)
  })
  const host = openHost(dataDir)
  const work = async (): Promise<boolean> => {
    await readInput(parts)
    told = understand()
    if (told === null) return true
    return (await host.tell(told)) ?? surroundings.takeHere(dataDir, told).then(() => true)
  }
  const taken = await Promise.race([work().catch(() => false), late])
  clearTimeout(timer)
  if (taken) return
  // An agent may write all of it and never close: what is there by now may be the whole event.
  told ??= understand()
  if (told) spool(dataDir, told)
}

/** Fills `parts` with the event as the agent wrote it. Streams are loaded only when not all of it is there yet. */
async function readInput(parts: Buffer[]): Promise<void> {
  if (readAtOnce(parts)) return
  await new Promise<void>((resolve, reject) => {
    process.stdin.on('data', (part: Buffer) => parts.push(part))
    process.stdin.once('end', resolve)
    process.stdin.once('error', reject)
  })
}

/** Takes what a pipe holds now, without ever waiting for more; true when that was all. Other inputs, and other systems, are left to streams. */
function readAtOnce(parts: Buffer[]): boolean {
  let pipe: number
  try {
    if (process.platform !== 'linux' || !fstatSync(0).isFIFO()) return false
    // Opened anew, so that not waiting concerns this descriptor alone and not whoever else holds the pipe.
    pipe = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
  const piece = Buffer.allocUnsafe(64 * 1024)
  try {
    for (;;) {
      const got = readSync(pipe, piece)
      if (got === 0) return true
      parts.push(Buffer.from(piece.subarray(0, got)))
    }
  } catch (error) {
    // EAGAIN: the agent is still writing, or keeps the pipe open.
    if (errorCode(error) === '') throw error
    return false
  } finally {
    closeSync(pipe)
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    // Not JSON: nothing an agent of ours says.
    return null
  }
}

/** The running host, let in while the event is still read. */
interface Host {
  /** True when it took the event, false when it could not, null when there is none. */
  tell(told: object): Promise<boolean | null>
}

function openHost(dataDir: string): Host {
  const file = readEngineFile(dataDir)
  if (!file) return { tell: () => Promise.resolve(null) }
  const socket = connect(file.socket)
  const { promise: inside, resolve: decide } = Promise.withResolvers<boolean>()
  const { promise: answer, resolve: give } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => socket.destroy(), CONNECT_MS)
  socket.once('connect', () => {
    clearTimeout(timer)
    decide(true)
  })
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('utf8')
    for (let end = heard.indexOf('\n'); end !== -1; end = heard.indexOf('\n')) {
      const frame = JSON.parse(heard.slice(0, end)) as { id?: number; result?: unknown }
      heard = heard.slice(end + 1)
      if (frame.id === 1) give(frame.result !== undefined)
    }
  })
  // Refused or broken: 'close' says the rest.
  socket.on('error', () => {})
  socket.once('close', () => {
    clearTimeout(timer)
    decide(false)
    give(false)
  })
  return {
    tell: async (told) => {
      if (!(await inside)) return null
      socket.write(`${JSON.stringify({ id: 1, method: 'agent.event', params: told })}\n`)
      return answer
    }
  }
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ash', 'ksh', 'env'])

/** The nearest process above this one that is no shell: the agent. */
function agentProcess(): ProcessId {
  let pid = process.ppid
  for (let depth = 0; depth < 5 && pid > 1; depth++) {
    const parent = process.platform === 'linux' ? parentOf(pid) : null
    if (!parent || !SHELLS.has(parent.name)) break
    pid = parent.pid
  }
  return pid > 1 ? { pid, start: startOf(pid) } : { pid: 0, start: '' }
}

/** Name of a process and who started it, null when it has ended. */
function parentOf(pid: number): { readonly name: string; readonly pid: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    return { name: stat.slice(stat.indexOf('(') + 1, end), pid: Number(stat.slice(end + 2).split(' ')[1]) }
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

/** Keeps the event for whoever opens the engine next. A full disk loses it: the agent still comes first. */
function spool(dataDir: string, told: { readonly id?: unknown }): void {
  const folder = join(dataDir, 'spool')
  const file = join(folder, `${String(told.id)}.json`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.tmp`, JSON.stringify(told), { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    rmSync(`${file}.tmp`, { force: true })
    if (errorCode(error) === '') throw error
  }
}
