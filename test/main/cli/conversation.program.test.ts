/** Going back with a conversation from the command line: restore modes, messages, resume, and the status of a killed agent. */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CLI } from '../../support/programs.ts'
import { type CliProject, createCliProject, waitForExit } from './cli-project.ts'

const SESSION = '5f0c9a3e-1111-4222-8333-944455556666'
let project: CliProject
let transcript: string
let record = 0

beforeEach(async () => {
  project = createCliProject()
  project.write('app.txt', 'red\n')
  transcript = join(dirname(project.root), '.claude/projects/-app', `${SESSION}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  record = 0
  await project.add()
})
afterEach(() => project.remove())

type Told = readonly [event: string, more?: Record<string, unknown>]

const payloadOf = ([event, more = {}]: Told) => ({
  ...{ session_id: SESSION, transcript_path: transcript, cwd: project.root, hook_event_name: event },
  ...more
})

/** Sends events in order, as hooks do without a recorder. */
function hook(events: readonly Told[]): void {
  for (const event of events) project.spool(payloadOf(event))
}

/** Sends events in order by the real hook of an agent that dies afterwards. */
async function hookOfKilledAgent(events: readonly Told[]): Promise<void> {
  const calls = events.map((event) => ({
    words: [process.execPath, CLI, 'hook', 'claude-code', event[0]],
    input: JSON.stringify(payloadOf(event))
  }))
  const agent = spawn(process.execPath, ['-e', AGENT, JSON.stringify(calls)], {
    cwd: project.root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  expect(await waitForExit(agent)).toMatchObject({ code: 0, err: '' })
}

/** An agent that calls its hooks, names its process to them as Claude Code does, and dies. */
const AGENT =
  "for (const { words, input } of JSON.parse(process.argv[1])) require('node:child_process').spawnSync(words[0], words.slice(1), { input, env: { ...process.env, CLAUDE_PID: process.pid } })"

function wrote(type: 'user' | 'assistant', content: string): void {
  const [uuid, parentUuid] = [`u${++record}`, record === 1 ? null : `u${record - 1}`]
  const message = type === 'user' ? { role: type, content } : { role: type, content: [{ type: 'text', text: content }] }
  appendFileSync(transcript, `${JSON.stringify({ type, uuid, parentUuid, sessionId: SESSION, message })}\n`)
}

/** One turn of an agent, recorded before the next begins. */
async function turn(prompt: string, answer: string, colour: string): Promise<void> {
  const use = { tool_name: 'Write', tool_use_id: prompt, tool_input: { file_path: join(project.root, 'app.txt') } }
  hook([['UserPromptSubmit', { prompt, prompt_id: prompt }]])
  wrote('user', prompt)
  hook([['PreToolUse', use]])
  writeFileSync(join(project.root, 'app.txt'), `${colour}\n`)
  wrote('assistant', answer)
  hook([
    ['PostToolUse', { ...use, tool_response: {} }],
    ['Stop', { last_assistant_message: answer, background_tasks: [] }]
  ])
  expect((await project.call(['status'])).code).toBe(0)
}

interface Said {
  revision: number
  messages: { text: string; superseded: boolean }[]
}
const messages = async (): Promise<Said> => (await project.json<Said>(['messages', SESSION])).doc
const words = ({ messages }: Said): string[] =>
  messages.filter((message) => !message.superseded).map((message) => message.text)
interface Resumed {
  command: string
  cwd: string
  forkedFrom: string | null
  argv: string[]
}

describe('[RS-6] restore with the conversation', () => {
  test('both is the default, undo restores every message, and resume continues there', async () => {
    await turn('make it green', 'It is green.', 'green')
    await turn('make it blue', 'It is blue.', 'blue')
    const before = await messages()

    const plan = await project.call(['restore', 'latest', '--dry-run'])
    expect(plan.out.toString()).toContain('conversation with claude-code, "make it green": 2 messages undone')
    const { code, doc } = await project.json<{
      state: string
      conversation: { session: string; revision: number; superseded: number; resume: Resumed }
    }>(['restore', 'latest', '--yes'])
    expect({ code, state: doc.state }).toEqual({ code: 0, state: 'done' })
    expect(doc.conversation).toMatchObject({ session: SESSION, revision: 2, superseded: 2 })
    expect(project.read('app.txt')).toBe('green\n')
    expect(words(await messages())).toEqual(['make it green', 'It is green.'])

    const { doc: resumed } = await project.json<Resumed>(['resume', SESSION])
    expect(resumed).toMatchObject({ forkedFrom: SESSION, cwd: project.root, command: doc.conversation.resume.command })
    const file = join(dirname(transcript), `${resumed.argv.at(-1)}.jsonl`)
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
    // Windows has no modes.
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)

    expect((await project.json(['undo', '--yes'])).code).toBe(0)
    expect(project.read('app.txt')).toBe('blue\n')
    expect(await messages()).toEqual(before)
    expect((await project.json(['redo', '--yes'])).code).toBe(0)
    expect(words(await messages())).toEqual(['make it green', 'It is green.'])
  })

  test('each mode restores only its part; an unknown mode is a usage error', async () => {
    await turn('make it green', 'It is green.', 'green')
    const only = await project.json<{ items: unknown[]; conversation: object }>([
      ...['restore', 'latest', '--mode', 'conversation', '--yes']
    ])
    expect(only).toMatchObject({ code: 0, doc: { items: [], conversation: { superseded: 2 } } })
    expect(project.read('app.txt')).toBe('green\n')
    expect((await project.json(['undo', '--yes'])).code).toBe(0)
    const files = await project.json<object>(['restore', 'latest', '--mode', 'files', '--yes'])
    expect(files.doc).not.toHaveProperty('conversation')
    expect(project.read('app.txt')).toBe('red\n')
    expect(words(await messages())).toHaveLength(2)
    expect((await project.call(['restore', 'latest', '--mode', 'all'])).code).toBe(2)
  })

  test('resume prints a command for an earlier point, and --fork creates its session file', async () => {
    await turn('make it green', 'It is green.', 'green')
    await turn('make it blue', 'It is blue.', 'blue')
    const plain = await project.json<Resumed>(['resume', SESSION])
    expect(plain.doc).toMatchObject({ command: `claude --resume ${SESSION}`, cwd: project.root, forkedFrom: null })
    const early = await project.call(['resume', SESSION, '--at', 'latest'])
    expect(early.out.toString()).toContain('remembers what came after this point')
    const forked = await project.json<Resumed>(['resume', SESSION, '--at', 'latest', '--fork'])
    expect(forked.doc.forkedFrom).toBe(SESSION)
    expect(forked.doc.command).not.toContain(SESSION)
    expect(words(await messages()), 'no message was undone').toHaveLength(4)
    expect((await project.json(['resume', 'nobody'])).code).toBe(5)
  })
})

test('[GW-3] after its agent was killed, status shows the position of the run and how to resume', async () => {
  const shell = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'make green' } }
  await hookOfKilledAgent([
    ['UserPromptSubmit', { prompt: 'make it green', prompt_id: 'p' }],
    ['PreToolUse', shell]
  ])
  project.write('app.txt', 'green\n')
  const { doc } = await project.json<{ interruptedRuns: object[] }>(['status'])
  expect(doc.interruptedRuns).toMatchObject([
    { session: SESSION, agent: 'claude-code', phase: 'execute', resume: { command: `claude --resume ${SESSION}` } }
  ])
  const text = (await project.call(['status'])).out.toString()
  expect(text).toContain('stopped while working during Bash: make green')
  expect(text).toContain('1 changed file, all recorded.')
  expect(text).toContain(`claude --resume ${SESSION}`)
  expect(text).toContain('driftline undo-run')
})
