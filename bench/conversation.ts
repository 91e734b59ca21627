/** A session that is resumed with a transcript of 80,000 messages: its hooks, pages, a search, a plan, memory, disk. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { guardedHookCommand } from '../src/main/engine/agents/connect/launcher.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { wall } from './hook.ts'
import { type HostProcess, processorTime, residentMemory, startHost, untilIdle } from './host-process.ts'
import { CLI, record } from './recorded.ts'
import { inMegabytes, inSeconds, median, times } from './statistics.ts'

const [MESSAGES, QUICK_MESSAGES] = [80_000, 8000]
const SESSION = '11111111-2222-4333-8444-555555555555'
const NEEDLE = 'one-of-its-kind'

export const CONVERSATION: Figure = {
  name: 'conversation',
  measure: async (setting) => {
    const tree = setting.folder('project')
    const home = setting.folder('home')
    const transcript = join(home, '.claude/projects/p', `${SESSION}.jsonl`)
    mkdirSync(join(home, '.claude/projects/p'), { recursive: true })
    const messages = setting.quick ? QUICK_MESSAGES : MESSAGES
    writeTranscript(transcript, messages, tree)
    const data = await record(setting, tree)
    const env = { ...process.env, HOME: home, DRIFTLINE_DATA: data }
    const connected = spawnSync(process.execPath, [CLI, 'connect', 'claude-code', '--yes'], { env, encoding: 'utf8' })
    if (connected.status !== 0) throw new Error(connected.stderr)
    const host = await startHost(data, { env: { HOME: home } })
    try {
      return await measured(setting, { host, data, home, tree, transcript, messages })
    } finally {
      await host.stop()
    }
  }
}

interface Resumed {
  readonly host: HostProcess
  readonly data: string
  readonly home: string
  readonly tree: string
  readonly transcript: string
  readonly messages: number
}

async function measured(setting: Setting, resumed: Resumed): Promise<Row[]> {
  const { host, data, home, tree, transcript, messages } = resumed
  const pid = host.process.pid as number
  const size = statSync(transcript).size
  const on = `${messages} messages, ${inMegabytes(size)}`
  const env = { ...process.env, HOME: home, DRIFTLINE_DATA: data }
  const hook = (event: string, more: object): number => {
    const input = JSON.stringify({ session_id: SESSION, cwd: tree, transcript_path: transcript, ...more })
    return wall('sh', ['-c', guardedHookCommand(data, 'claude-code', event)], input, env)
  }
  const node = (): number => wall(process.execPath, ['-e', '0'], '', env)
  const row = (figure: string, ours: number, limit: number, more: Partial<Row> = {}): Row => ({
    figure,
    on,
    ours: inSeconds(ours),
    theirs: '',
    result: inSeconds(ours),
    target: `<= ${inSeconds(limit)}`,
    reached: ours <= limit,
    note: '',
    numbers: { seconds: ours },
    ...more
  })

  hook('SessionStart', { source: 'resume' })
  const first = hook('UserPromptSubmit', { prompt: 'prompt 0', prompt_id: 'p0' })
  await untilIdle(pid)
  const [hooks, nodes]: [number[], number[]] = [[], []]
  for (let n = 1; n <= (setting.quick ? 4 : 20); n++) {
    hook('Stop', { background_tasks: [] })
    appendFileSync(
      transcript,
      `${JSON.stringify({ type: 'user', uuid: `later-${n}`, message: { content: `prompt ${n}` } })}\n`
    )
    nodes.push(node())
    hooks.push(hook('UserPromptSubmit', { prompt: `prompt ${n}`, prompt_id: `p${n}` }))
  }
  hook('Stop', { background_tasks: [] })
  await untilIdle(pid)
  const before = residentMemory(pid)
  const { client } = host
  const [folder] = (await client.call('workspaces.list', {})).workspaces
  const workspace = folder?.id ?? ''
  const timed = async (work: () => Promise<unknown>): Promise<Timed> => {
    const [started, processor] = [performance.now(), processorTime(pid)]
    await work()
    return { seconds: (performance.now() - started) / 1000, processor: processorTime(pid) - processor }
  }
  const page = await timed(async () => {
    await client.call('sessions.show', { workspace, session: SESSION })
    await client.call('sessions.messages', { workspace, session: SESSION, side: 'around', at: messages / 2 })
  })
  const found = await timed(() => client.call('sessions.find', { workspace, session: SESSION, text: NEEDLE }))
  const request = { kind: 'restore', target: 'latest', mode: 'both' } as const
  const plan = await timed(() => client.call('restore.plan', { workspace, request }))
  const more = residentMemory(pid) - before
  const all = await printed(pid, tree, env)
  const { conversationBytes } = await client.call('storage.get', { workspace })
  const ratio = median(hooks) / median(nodes)
  const share = conversationBytes / size
  return [
    row('first prompt of a resumed session', first, 2, { note: 'its transcript is imported after the answer' }),
    row('later prompts', median(hooks), 1.6 * median(nodes), {
      theirs: `node -e 0 ${inSeconds(median(nodes))}`,
      result: times(ratio),
      target: '<= 1.6 x',
      numbers: { ratio, hook50: median(hooks), node50: median(nodes) }
    }),
    row('conversation opened in its middle', page.seconds, 0.3, { note: `without painting; ${ofProcessor(page)}` }),
    row('text found in it, processor time', found.processor, 0.5, {
      note: `${inSeconds(found.seconds)} until the answer`
    }),
    row('plan of a restore with it', plan.seconds, 1, { note: ofProcessor(plan) }),
    row('memory of the host for the three', 0, 0, {
      ours: inMegabytes(more),
      result: inMegabytes(more),
      target: '<= 50 MB',
      reached: more <= 50e6,
      numbers: { bytes: more }
    }),
    row('printed by `driftline messages`', 0, 0, { target: '', reached: null, ...all }),
    row('conversation on disk', 0, 0, {
      ours: inMegabytes(conversationBytes),
      theirs: `its transcript ${inMegabytes(size)}`,
      result: times(share),
      target: '<= 0.35 x',
      reached: share <= 0.35,
      numbers: { share, bytes: conversationBytes }
    })
  ]
}

interface Timed {
  readonly seconds: number
  /** Of the host. */
  readonly processor: number
}

function ofProcessor({ processor }: Timed): string {
  return `processor time ${inSeconds(processor)}, which depends less on other load`
}

/** Prints its largest resident memory, kB. */
const MEMORY_AT_EXIT =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))'

/** `driftline messages`, whose output goes nowhere. */
async function printed(host: number, cwd: string, env: NodeJS.ProcessEnv): Promise<Partial<Row>> {
  const [processor, memory] = [processorTime(host), residentMemory(host)]
  const child = spawn(process.execPath, ['--import', MEMORY_AT_EXIT, CLI, 'messages', SESSION], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const started = performance.now()
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const seconds = (performance.now() - started) / 1000
  const [own, ofHost] = [Number(stderr) * 1024, Math.max(0, residentMemory(host) - memory)]
  return {
    ours: inSeconds(seconds),
    result: inMegabytes(own),
    note: `its memory; ${inMegabytes(ofHost)} more in the host, whose processor time is ${inSeconds(processorTime(host) - processor)}`,
    numbers: { seconds, bytes: own, host: ofHost }
  }
}

/** As Claude Code writes it: a prompt, then seven answers of about 1 kB. */
function writeTranscript(file: string, messages: number, cwd: string): void {
  const next = random(23)
  const descriptor = openSync(file, 'w')
  let parentUuid: string | null = null
  for (let n = 0; n < messages; n++) {
    const uuid = `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${Math.floor(next() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}`
    const isPrompt = n % 8 === 0
    const text = `${n === messages / 2 + 1 ? `${NEEDLE} ` : ''}${sourceText(isPrompt ? 200 : 950, next)}`
    const type = isPrompt ? 'user' : 'assistant'
    const message = isPrompt ? { role: type, content: text } : { role: type, content: [{ type: 'text', text }] }
    const entry = {
      parentUuid,
      isSidechain: false,
      cwd,
      sessionId: SESSION,
      version: '2.1.0',
      gitBranch: 'main',
      type,
      message,
      uuid
    }
    writeSync(descriptor, `${JSON.stringify({ ...entry, timestamp: new Date(1.7e12 + n * 3000).toISOString() })}\n`)
    parentUuid = uuid
  }
  closeSync(descriptor)
}
