/** [GW-1] The hook as agents call it: a real process that prints nothing, exits 0 and loses nothing. How long it takes: bench/hook-deadline.ts. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketAddress } from '../../../src/main/host/endpoint.ts'
import { doTool, type Line, PROJECT, recordedEvents } from '../../support/agent-replay.ts'
import { fill, smallDisk } from '../../support/faulty-disk.ts'
import { CLI, HOOK } from '../../support/programs.ts'
import { LONG } from '../../support/scale.ts'
import { tempFolder } from '../../support/tmp.ts'
import { type CallResult, type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

interface LogDoc {
  entries: { id: string; title: string; agent: string; state: string; turns: number; incomplete: boolean }[]
}
interface DiffDoc {
  files: { path: string; attribution: string }[]
}

/** More than a hook keeps of one text. */
const PROMPT_MB = LONG ? 80 : 5
/** Windows counts the program itself as memory. */
const PROGRAM_MB = process.platform === 'win32' ? 90 : 0
/** More than a recorder takes at once. */
const SPOOLED = LONG ? 1200 : 60

let project: CliProject
const started: { child: ChildProcess; end: Promise<unknown> }[] = []

beforeEach(async () => {
  project = createCliProject()
  for (const [path, content] of Object.entries(PROJECT)) project.write(path, content)
  await project.add()
})
afterEach(async () => {
  for (const { child, end } of started.splice(0)) {
    child.kill('SIGKILL')
    await end
  }
  project.remove()
})

/** Calls the hook as an agent does. Without `text`, stdin stays open and empty. */
async function callHook(
  words: readonly string[],
  text: string | Buffer | null,
  env: NodeJS.ProcessEnv = {},
  stays: 'open' | 'closed' = 'closed'
): Promise<CallResult> {
  const child = spawn(process.execPath, [HOOK, 'hook', ...words], {
    cwd: project.root,
    env: { ...project.env, ...env },
    stdio: 'pipe'
  })
  const end = waitForExit(child)
  child.stdin.on('error', () => {})
  if (text !== null) child.stdin.write(text)
  if (text !== null && stays === 'closed') child.stdin.end()
  const called = await end
  child.stdin.destroy()
  return called
}

const silent = { code: 0, err: '', signal: null }

async function tell(agent: string, lines: readonly Line[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  for (const line of lines) {
    const called = await callHook([agent, line.event], JSON.stringify(line.input), env)
    expect(called).toMatchObject(silent)
    expect(called.out.toString()).toBe('')
    if (line.event === 'PreToolUse') doTool(project.root, line)
  }
}

/** `incomplete`: the events came from the spool. */
async function claudeRun(incomplete: boolean): Promise<void> {
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries).toMatchObject([
    { agent: 'claude-code', title: '[[script:basic]] do it', state: 'ended', turns: 1, incomplete }
  ])
  const { files } = (await project.json<DiffDoc>(['diff', entries[0]!.id])).doc
  expect(Object.fromEntries(files.map((file) => [file.path, file.attribution]))).toMatchObject({
    'notes.txt': 'declared',
    'app.txt': 'declared',
    'b.txt': 'inferred',
    'sub/new.txt': 'inferred'
  })
}

/** What `sessions` and `messages` show of it. */
async function conversationIsShown(): Promise<void> {
  const { sessions } = (await project.json<{ sessions: { id: string; agent: string; runs: number }[] }>(['sessions']))
    .doc
  expect(sessions).toMatchObject([{ agent: 'claude-code', runs: 1 }])
  const { doc } = await project.json<{ messages: { role: string; text: string }[]; todos: unknown[] }>([
    'messages',
    sessions[0]!.id
  ])
  expect(doc.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
  expect(doc.todos).toEqual([{ text: 'Write notes', status: 'pending' }])
  expect((await project.call(['messages', 'nobody'])).code).toBe(5)
}

const withoutBatches = (lines: readonly Line[]) =>
  lines.filter((line) => line.event !== 'PostToolBatch' && line.input.tool_name !== 'Read')

test('a conversation that real hook processes report is recorded through a host', { tags: ['long'] }, async () => {
  const child = project.start(['serve', '--no-open', '--stay'])
  started.push({ child, end: waitForExit(child) })
  await waitForOutput(child.stdout!, '#token=')
  await tell('claude-code', withoutBatches(recordedEvents('claude', project.root)))
  await claudeRun(false)
})

test('invalid input, unknown arguments and unrecorded folders print and record nothing', async () => {
  for (const [words, text] of [
    [['claude-code', 'Stop'], 'not json'],
    [['claude-code', 'Stop'], ''],
    [['claude-code', 'Stop'], '[]'],
    [['no-such-agent', 'Stop'], '{}'],
    [[], '{}'],
    [['claude-code', 'UserPromptSubmit'], JSON.stringify({ session_id: 's', cwd: '/', prompt: 'x' })]
  ] as const) {
    const called = await callHook(words, text)
    expect(called).toMatchObject(silent)
    expect(called.out.length).toBe(0)
  }
  expect((await project.json<LogDoc>(['log'])).doc.entries).toEqual([])
  expect(readdirSync(join(project.data, 'spool'))).toEqual([])
  const elsewhere = join(project.root, '..', 'never')
  expect(await callHook(['claude-code', 'Stop'], '{}', { DRIFTLINE_DATA: elsewhere })).toMatchObject(silent)
  expect(existsSync(elsewhere)).toBe(false)
})

test('`driftline hook --help` is for a person', () => {
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'hook', '--help'], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: driftline hook AGENT EVENT')])
})

test('[GW-6] a hook records into the data folder that --data names, before and after its name', async () => {
  const { DRIFTLINE_DATA: data = '', ...env } = project.env
  const text = (prompt: string): string =>
    JSON.stringify({
      session_id: prompt.replace(' ', '-'),
      cwd: project.root,
      hook_event_name: 'UserPromptSubmit',
      prompt
    })
  const calls = [
    [HOOK, 'hook', 'claude-code', 'UserPromptSubmit', '--data', data],
    [HOOK, 'hook', `--data=${data}`, 'claude-code', 'UserPromptSubmit'],
    [CLI, '--data', data, 'hook', 'claude-code', 'UserPromptSubmit']
  ]
  for (const [n, args] of calls.entries()) {
    const called = spawnSync(process.execPath, args, { cwd: project.root, env, input: text(`prompt ${n}`) })
    expect({ ...called, stdout: String(called.stdout), stderr: String(called.stderr) }).toMatchObject({
      status: 0,
      stdout: '',
      stderr: ''
    })
  }
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries.map(({ title }) => title)).toEqual(['prompt 2', 'prompt 1', 'prompt 0'])
})

test('an agent that never closes stdin does not wait for ever; a complete event is spooled and recorded by the next process', async () => {
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'never closed' }
  const called = await Promise.all([
    callHook(['claude-code', 'Stop'], null),
    callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event), {}, 'open')
  ])
  expect(called).toMatchObject([silent, silent])
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries).toMatchObject([{ title: 'never closed' }])
})

test('[GW-1] an event that was written while a busy computer held up the start of its hook is recorded later', async () => {
  const held = join(project.root, '..', 'held.cjs')
  writeFileSync(held, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1750)')
  const child = spawn(process.execPath, ['--require', held, HOOK, 'hook', 'claude-code', 'UserPromptSubmit'], {
    cwd: project.root,
    env: project.env,
    stdio: 'pipe'
  })
  const end = waitForExit(child)
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'held up' }
  child.stdin.end(JSON.stringify(event))
  expect(await end).toMatchObject(silent)
  expect((await project.json<LogDoc>(['log', '--kind', 'run'])).doc.entries).toMatchObject([{ title: 'held up' }])
})

test('[GW-1] a hook whose shell has ended records nothing', async () => {
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'too late' }
  const shell = spawnSync(process.execPath, ['-e', 'console.log(process.pid)']).stdout.toString().trim()
  const called = await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event), {
    DRIFTLINE_HOOK_SHELL: shell
  })
  expect(called).toMatchObject(silent)
  expect((await project.json<LogDoc>(['log', '--kind', 'run'])).doc.entries).toEqual([])
})

test('[GW-1] a writer that never ends keeps no agent waiting, leaves no event and costs at most 150 MB', async () => {
  const measure = join(project.root, '..', 'measure.cjs')
  const peak = join(project.root, '..', 'peak')
  const atExit = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`
  writeFileSync(measure, atExit)
  const child = spawn(process.execPath, ['--require', measure, HOOK, 'hook', 'claude-code', 'UserPromptSubmit'], {
    cwd: project.root,
    env: project.env,
    stdio: 'pipe'
  })
  const end = waitForExit(child)
  const more = `"${'x'.repeat(500)}",`.repeat(160)
  const write = (): void => {
    while (child.stdin.writable && child.stdin.write(more)) {}
  }
  child.stdin.on('drain', write).on('error', () => {})
  child.stdin.write(`{"session_id":"s","cwd":${JSON.stringify(project.root)},"prompt":[`)
  write()
  expect(await end).toMatchObject(silent)
  child.stdin.destroy()
  expect(Number(readFileSync(peak, 'utf8'))).toBeLessThan((150 + PROGRAM_MB) * 1024)
  expect((await project.json<LogDoc>(['log', '--kind', 'run'])).doc.entries).toEqual([])
})

test('a tool that names unopenable or very many paths does not disturb the agent', async () => {
  const write = (tool_input: object): string =>
    JSON.stringify({
      session_id: 's',
      cwd: project.root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_use_id: 't',
      tool_input
    })
  const nested = `${'{"files":['.repeat(4000)}${']}'.repeat(4000)}`
  const cwd = `${project.root}${'/x'.repeat(100_000)}`
  for (const input of [
    write({ file_path: `${'x/'.repeat(1900)}y` }),
    write({ file_path: `${'x/'.repeat(1_000_000)}y` }),
    write({ files: Array.from({ length: 20_000 }, (_, i) => `d${i}/f`) }),
    write({ file_path: '/etc/passwd', content: 'x'.repeat(1_000_000) }),
    write({}).replace('{}', nested),
    JSON.stringify({ session_id: 's', cwd, hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  ]) {
    const called = await callHook(['claude-code', 'PreToolUse'], input)
    expect(called).toMatchObject(silent)
  }
  expect((await project.json(['status'])).code).toBe(0)
}, 40_000)

test(`a prompt of ${PROMPT_MB} MB is recorded without a host: run, title, its start and end, and that it was shortened`, async () => {
  const prompt = `Do it well.\n${'so many words\n'.repeat((PROMPT_MB * 1024 * 1024) / 14)}Begin now.`
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt }
  const called = await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event))
  expect(called).toMatchObject(silent)
  // Taken at once on a machine with time to spare, else kept and taken by this command.
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries).toMatchObject([{ title: 'Do it well.', state: 'live' }])
  const { doc } = await project.json<{ messages: { text: string }[] }>(['messages', 's'])
  expect(doc.messages).toHaveLength(1)
  expect(doc.messages[0]!.text).toMatch(
    /^Do it well\.\n[^…]*\n\[… \d+ kB left out by Driftline …\]\n[^…]*\nBegin now\.$/
  )
  expect(doc.messages[0]!.text.length).toBeLessThan(4_200_000)
})

test('invalid UTF-8 is recorded with its valid text', async () => {
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'caf@' }
  const [before, after] = JSON.stringify(event).split('@') as [string, string]
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9, 0xff]), Buffer.from(after)])
  expect(await callHook(['claude-code', 'UserPromptSubmit'], bytes)).toMatchObject(silent)
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries).toMatchObject([{ title: 'caf\uFFFD\uFFFD' }])
})

test(`${SPOOLED} spooled events are recorded in small batches, once each`, async () => {
  const spool = join(project.data, 'spool')
  mkdirSync(spool)
  const since = Date.now() - 100_000
  for (let i = 0; i < SPOOLED; i++) {
    const told = {
      id: `spooled-${i}`,
      agent: 'claude-code',
      event: 'UserPromptSubmit',
      at: since + i,
      process: { pid: 0, start: '' },
      payload: {
        session_id: `s${i % 9}`,
        cwd: project.root,
        hook_event_name: i % 2 ? 'Stop' : 'UserPromptSubmit',
        prompt: `${i}`
      }
    }
    writeFileSync(join(spool, `${told.at}-1-x.json`), JSON.stringify(told))
  }
  const event = { session_id: 'late', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'after all' }
  const called = await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event))
  expect(called).toMatchObject(silent)
  expect((await project.json(['status'])).code).toBe(0)
  expect(readdirSync(spool)).toEqual([])
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run', '--limit', '5000'])).doc
  expect(entries[0]).toMatchObject({ title: 'after all' })
}, 60_000)

/** A recorder that does with each connection what `serve` says. */
async function standInRecorder(serve: (socket: Socket) => void) {
  const address = socketAddress(project.data)
  const server = createServer((socket) => serve(socket.on('error', () => {})))
  await new Promise<void>((done) => server.listen(address, done))
  const file = join(project.data, 'engine.json')
  writeFileSync(
    file,
    JSON.stringify({ pid: process.pid, socket: address, version: '0', startedAt: 0, kind: 'server' }),
    { mode: 0o600 }
  )
  return { server, file }
}

test('[RV-5] a long answer is printed as it is, whatever its letters', { tags: ['posix'] }, async () => {
  // No piece of a stream ends where each of its letters does.
  const answer = '€'.repeat(100_000)
  const { server } = await standInRecorder((socket) =>
    socket.once('data', () => socket.write(`${JSON.stringify({ id: 1, result: { answer } })}\n`))
  )
  const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'p' }
  const { out } = await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event))
  expect(out.equals(Buffer.from(`${answer}\n`)), `${out.length} bytes`).toBe(true)
  await new Promise((done) => {
    server.close(done)
  })
})

test('a hanging host holds no hook; events are spooled and recorded once by the next process', async () => {
  const { server, file } = await standInRecorder((socket) => socket.resume())
  const lines = recordedEvents('claude', project.root)
  const prompt = lines.find((line) => line.event === 'UserPromptSubmit')!
  const [before, after] = lines.filter((line) => line.input.tool_name === 'Write') as [Line, Line]
  const call = (line: Line) => callHook(['claude-code', line.event], JSON.stringify(line.input))
  const connected = once(server, 'connection')
  const asked = call(prompt)
  // A hook notes the time before it connects: that of the next one is later, and both wait at once.
  await connected
  expect(await Promise.all([asked, call(before)])).toMatchObject([silent, silent])
  doTool(project.root, before)
  expect(await call(after)).toMatchObject(silent)
  await new Promise((done) => {
    server.close(done)
  })
  expect(readdirSync(join(project.data, 'spool')).filter((name) => name.endsWith('.json'))).toHaveLength(3)
  writeFileSync(file, '{}')
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries).toMatchObject([{ title: '[[script:basic]] do it', turns: 1, incomplete: true, state: 'live' }])
  expect(readdirSync(join(project.data, 'spool'))).toEqual([])
  const { files } = (await project.json<DiffDoc>(['diff', entries[0]!.id])).doc
  expect(files).toMatchObject([{ path: 'notes.txt', attribution: 'declared' }])
}, 40_000)

test('[GW-1] neither a locked history nor a pipe in place of engine.json holds a hook, and its event is recorded later', {
  tags: ['posix']
}, async () => {
  const [id = ''] = readdirSync(join(project.data, 'w'))
  const locked = ['app.db', join('w', id, 'store.db')].map((name) => new Database(join(project.data, name)))
  for (const db of locked) db.exec('BEGIN EXCLUSIVE')
  const pipe = join(project.data, 'engine.json')
  execFileSync('mkfifo', ['-m', '600', pipe])
  const event = {
    session_id: 's',
    cwd: project.root,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'while it is locked'
  }
  expect(await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event))).toMatchObject(silent)
  for (const db of locked) db.close()
  rmSync(pipe)
  expect((await project.json<LogDoc>(['log', '--kind', 'run'])).doc.entries).toMatchObject([{ title: event.prompt }])
})

test('with a read-only, then full data folder hooks stay silent, leave no partial file, and work again afterwards', async ({
  skip
}) => {
  project.remove()
  using place = tempFolder()
  const base = join(place.path, 'disk')
  using disk = smallDisk(base, '24m')
  if (!disk) return skip('the right to mount a disk')
  project = createCliProject(base)
  project.write('a.txt', 'one\n')
  const remount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, base])
  const prompt = async (words: string): Promise<void> => {
    const event = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: words }
    const called = await callHook(['claude-code', 'UserPromptSubmit'], JSON.stringify(event))
    expect(called).toMatchObject(silent)
  }
  await project.add()
  remount('ro')
  await prompt('read-only')
  remount('rw')
  const filler = fill(base)
  await prompt('full')
  expect(existsSync(join(project.data, 'spool')) ? readdirSync(join(project.data, 'spool')) : []).toEqual([])
  rmSync(filler)
  remount('size=600m')
  await project.call(['add'])
  await prompt('again')
  const { entries } = (await project.json<LogDoc>(['log', '--kind', 'run'])).doc
  expect(entries[0]).toMatchObject({ title: 'again', state: 'live' })
})

test('a truncated or empty spooled event stops nothing', async () => {
  mkdirSync(join(project.data, 'spool'))
  writeFileSync(join(project.data, 'spool', '1.json'), '{"id":')
  writeFileSync(join(project.data, 'spool', '2.json'), '{"id":"x"}')
  expect((await project.json(['log'])).code).toBe(0)
  expect(readdirSync(join(project.data, 'spool'))).toEqual([])
})

test('the command that connect writes works as the agent runs it: without a recorder, the next process records the conversation', async () => {
  const home = project.env.HOME!
  const file = join(home, '.claude', 'settings.json')
  mkdirSync(join(home, '.claude'))
  writeFileSync(file, '{\n  "model": "opus"\n}\n')
  const preview = await project.json<{ change: string; applied: boolean }>(['connect', 'claude-code', '--dry-run'])
  expect([preview.code, preview.doc.applied]).toEqual([0, false])
  expect(preview.doc.change).toContain('+  "hooks": {')
  const done = await project.json<{ backup: string; applied: boolean }>(['connect', 'claude-code'])
  expect([done.code, done.doc.applied]).toEqual([0, true])
  expect(readFileSync(done.doc.backup, 'utf8')).toBe('{\n  "model": "opus"\n}\n')
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  const { DRIFTLINE_DATA: _, ...env } = project.env
  for (const line of withoutBatches(recordedEvents('claude', project.root))) {
    const command = hooks[line.event]?.[0]?.hooks[0]?.command
    if (!command) continue
    const called = spawnSync(command, { shell: true, input: JSON.stringify(line.input), env, encoding: 'utf8' })
    expect(called).toMatchObject({ status: 0, stdout: '', stderr: '' })
    if (line.event === 'PreToolUse') doTool(project.root, line)
  }
  await claudeRun(true)
  await conversationIsShown()
  const { agents } = (
    await project.json<{ agents: { id: string; connected: string; lastEventAt: number | null }[] }>(['agents'])
  ).doc
  expect(agents.find((agent) => agent.id === 'claude-code')).toMatchObject({
    connected: 'yes',
    lastEventAt: expect.any(Number)
  })
  expect((await project.json(['disconnect', 'claude-code'])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('{\n  "model": "opus"\n}\n')
  expect((await project.call(['connect', 'no-such-agent'])).code).toBe(2)
  expect((await project.call(['agents'])).out.toString()).toContain('claude-code')
})
