/**
 * `driftline hook AGENT EVENT`, called by agents with an event as JSON on stdin.
 *
 * It exits 0 within its deadline, whatever happens (GW-1), and prints nothing but a message for the agent (RV-5). The
 * event takes the first path that works: the socket of the running recorder, that of a recorder it starts in the
 * background, or the spool, which the recorder reads. This module imports almost nothing, because the agent waits for it.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '../engine/agents/hook-event.ts'
import { truncateTexts } from '../engine/agents/truncate-texts.ts'
import { errorCode } from '../engine/files/fs-errors.ts'
import { type ProcessId, processStart } from '../engine/ports/processes.ts'
import { dataDirOf, foreignAccess } from '../host/data-dir.ts'
import { findHost } from '../host/engine-file.ts'
import { dialHost } from '../host/pipe-proof.ts'
import { mayStartRecorder, startRecorder } from '../host/start-recorder.ts'
import { HookInput } from './hook-input.ts'
import { hookWords } from './hook-words.ts'

/**
 * When the hook stops waiting, ms after its process began: a recorder has answered by then, and the rest of two seconds
 * is for the spool. At two seconds its shell ends, whatever holds the hook (connect/limited-command.ts).
 */
const DEADLINE_MS = 1700
/**
 * A process that started too late still reads what the agent has written. Windows has a thread of its own read it, which takes a
 * moment, and ends no hook before 5 s.
 */
const SHORTEST_WAIT_MS = process.platform === 'win32' ? 1000 : 0
/** A host that does not accept the connection within this time is treated as absent, ms. */
const CONNECT_TIMEOUT_MS = 300
/** How long it waits for the recorder that it starts, ms. */
const START_TIMEOUT_MS = 600
/** Time between two attempts to connect to it, ms. */
const POLL_MS = 10

interface HookCall {
  /** All arguments of the program. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The program of the recorder in the background. */
  readonly recorder: string
  /** Saves the event for the recorder, without throwing, and without its files if `isAwaited` is false then. */
  spool(dataDir: string, hookEvent: HookEvent, isAwaited: () => boolean): void
}

/** Variables with an agent's project folder. */
const PROJECT_VARIABLES: Readonly<Record<string, string>> = {
  'claude-code': 'CLAUDE_PROJECT_DIR',
  'gemini-cli': 'GEMINI_PROJECT_DIR',
  'qwen-code': 'QWEN_PROJECT_DIR'
}
/** Variables with the folder of an agent's own files. */
const HOME_VARIABLES: Readonly<Record<string, string>> = { 'claude-code': 'CLAUDE_CONFIG_DIR', codex: 'CODEX_HOME' }

/** Resolves when the agent may continue. */
export async function hook(input: HookCall): Promise<void> {
  const { env } = input
  const {
    words: [, agent, event],
    data
  } = hookWords(input.argv)
  const dataDir = dataDirOf(data)
  // Without both, no folder was ever recorded in this data folder. A lost app.db is made again from the histories.
  const isUsed = existsSync(join(dataDir, 'app.db')) || existsSync(join(dataDir, 'w'))
  if (!agent || !event || !isUsed || foreignAccess(statSync(dataDir))) return
  const isAwaited = (): boolean => isShellWaiting(env)
  // Held until now: nobody knows what the event is about any more.
  if (!isAwaited()) return
  const at = Date.now()
  const stdin = new HookInput()
  let hookEvent = null as HookEvent | null
  const parseEvent = (): HookEvent | null => {
    const payload = parse(truncateTexts(stdin.bytes()).toString('utf8'))
    if (payload === null) return null
    const project = env[PROJECT_VARIABLES[agent] ?? '']
    const home = env[HOME_VARIABLES[agent] ?? '']
    return {
      id: `${at}-${process.pid}-${Math.random().toString(36).slice(2)}`,
      agent,
      event,
      at,
      payload,
      process: agentProcess(agent, env),
      ...(project ? { project } : {}),
      ...(home ? { home } : {}),
      ...(env.DRIFTLINE_RUN ? { run: env.DRIFTLINE_RUN } : {})
    }
  }
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Delivery>((resolve) => {
    const remaining = DEADLINE_MS - process.uptime() * 1000
    timer = setTimeout(() => setImmediate(resolve, NOT_DELIVERED), Math.max(SHORTEST_WAIT_MS, remaining))
  })
  const host = connectHost(dataDir)
  const deliver = async (): Promise<Delivery> => {
    await readInput(stdin)
    hookEvent = parseEvent()
    if (hookEvent === null) return { delivered: true }
    // A recorder takes an event as happening now.
    if (!isAwaited()) return NOT_DELIVERED
    return (await host.send(hookEvent)) ?? (await sendToNewRecorder(input, dataDir, hookEvent)) ?? NOT_DELIVERED
  }
  const { delivered, answer } = await Promise.race([deliver().catch(() => NOT_DELIVERED), deadline])
  clearTimeout(timer)
  if (answer !== undefined) writeFileSync(1, `${answer}\n`)
  if (!delivered && hookEvent) input.spool(dataDir, hookEvent, isAwaited)
}

/** Whether the agent still waits: the shell that limits this hook has not ended. Without one it waits. */
function isShellWaiting({ DRIFTLINE_HOOK_SHELL: shell }: NodeJS.ProcessEnv): boolean {
  if (!shell) return true
  try {
    return process.kill(Number(shell), 0)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
}

/** Reads the event as the agent wrote it. Node's streams are loaded only when the event is not complete yet. */
async function readInput(input: HookInput): Promise<void> {
  if (readAvailable(input)) return
  await new Promise<void>((resolve, reject) => {
    process.stdin.on('data', (chunk: Buffer) => {
      if (!input.add(chunk)) reject(new Error('not an event'))
      else if (input.isComplete) resolve()
    })
    process.stdin.once('end', resolve)
    process.stdin.once('error', reject)
  })
}

/**
 * Reads what a pipe contains now, without waiting; true at the end of the event. Only for pipes on Linux, else false. A
 * writer may fill the pipe faster than it is read, so it ends after a while.
 */
function readAvailable(input: HookInput): boolean {
  let pipe: number
  try {
    if (process.platform !== 'linux' || !fstatSync(0).isFIFO()) return false
    // O_NONBLOCK belongs to the open file description. Opening the pipe again keeps it off the agent's end.
    pipe = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
  const buffer = Buffer.allocUnsafe(64 * 1024)
  const [start] = process.hrtime()
  try {
    while (process.hrtime()[0] - start < 1) {
      const length = readSync(pipe, buffer)
      if (length === 0) return true
      if (!input.add(buffer.subarray(0, length)) || input.isComplete) return true
    }
    return false
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
    // SyntaxError: not an event of a supported agent.
    return null
  }
}

/** Whether a host recorded the event, and what it answers the agent. */
interface Delivery {
  readonly delivered: boolean
  readonly answer?: string
}
const NOT_DELIVERED: Delivery = { delivered: false }

/** The connection to the running host, opened while the event is still being read. */
interface HostConnection {
  /** Null without a host. */
  send(hookEvent: object): Promise<Delivery | null>
}

function connectHost(dataDir: string): HostConnection {
  const file = findHost(dataDir)
  if (!file) return { send: () => Promise.resolve(null) }
  const { socket, ready } = dialHost(file)
  const { promise: connected, resolve: setConnected } = Promise.withResolvers<boolean>()
  const { promise: answer, resolve: setAnswer } = Promise.withResolvers<Delivery>()
  const timer = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS)
  let received = ''
  const readAnswer = (text: string): void => {
    received += text
    for (let end = received.indexOf('\n'); end !== -1; end = received.indexOf('\n')) {
      const frame = JSON.parse(received.slice(0, end)) as { id?: number; result?: { answer?: string } }
      received = received.slice(end + 1)
      if (frame.id === 1) setAnswer({ ...frame.result, delivered: frame.result !== undefined })
    }
  }
  socket.once('connect', () => clearTimeout(timer))
  ready.then(
    () => {
      // A letter may be in two pieces.
      socket.setEncoding('utf8').on('data', readAnswer)
      socket.resume()
      setConnected(true)
    },
    // 'close' follows.
    () => {}
  )
  socket.once('close', () => {
    clearTimeout(timer)
    setConnected(false)
    setAnswer(NOT_DELIVERED)
  })
  return {
    send: async (hookEvent) => {
      if (!(await connected)) return null
      socket.write(`${JSON.stringify({ id: 1, method: 'agent.event', params: hookEvent })}\n`)
      return answer
    }
  }
}

/** Starts the recorder; as `send`. null if it may not start, or is not ready in time. */
async function sendToNewRecorder(
  { env, recorder }: HookCall,
  dataDir: string,
  hookEvent: object
): Promise<Delivery | null> {
  if (!mayStartRecorder(env)) return null
  const started = startRecorder(recorder, dataDir)
  const end = performance.now() + START_TIMEOUT_MS
  while (performance.now() < end && started.state() !== 'failed') {
    const answer = await connectHost(dataDir).send(hookEvent)
    if (answer !== null) return answer
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return null
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ash', 'ksh', 'env'])

/**
 * The agent above this process: the nearest ancestor that is not a shell. On Windows no shell becomes its command, so the parent
 * of a hook has ended soon after; only Claude Code names its process. `agent` is null for a server, whose parent stays.
 * Pid 0 = unknown.
 */
export function agentProcess(agent: string | null, env: NodeJS.ProcessEnv): ProcessId {
  if (process.platform === 'win32') {
    const named = agent === null ? process.ppid : agent === 'claude-code' ? Number(env.CLAUDE_PID) : 0
    return { pid: Number.isSafeInteger(named) && named > 0 ? named : 0, start: '' }
  }
  // Its shell limits the hook, and waits for it.
  let pid = Number(env.DRIFTLINE_HOOK_PARENT) || process.ppid
  for (let depth = 0; depth < 5 && pid > 1; depth++) {
    const parent = process.platform === 'linux' ? parentOf(pid) : null
    if (!parent || !SHELLS.has(parent.name)) break
    pid = parent.pid
  }
  return pid > 1 ? { pid, start: processStart(pid) } : { pid: 0, start: '' }
}

/** Name and parent of a process, null when it has ended. Format: proc_pid_stat(5); the name may contain parentheses. */
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
