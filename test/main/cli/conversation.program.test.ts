/** Going back with a conversation from the command line: restore modes, messages, resume, and the status of a killed agent. */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { finished, makePlace, type Place } from './place.ts'

const SESSION = '5f0c9a3e-1111-4222-8333-944455556666'
let place: Place
let transcript: string
let record = 0

beforeEach(async () => {
  place = makePlace()
  place.write('app.txt', 'red\n')
  transcript = join(dirname(place.root), '.claude/projects/-app', `${SESSION}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  record = 0
  await place.call(['add'])
})
afterEach(() => place.remove())

type Told = readonly [event: string, more?: Record<string, unknown>]

/** Tells events one after another; with `by` another process does, as an agent that is gone afterwards. */
async function hook(events: readonly Told[], by: readonly string[] = []): Promise<void> {
  const calls = events.map(([event, more = {}]) => ({
    words: [process.execPath, resolve('src/main/cli.ts'), 'hook', 'claude-code', event],
    input: JSON.stringify({
      ...{ session_id: SESSION, transcript_path: transcript, cwd: place.root, hook_event_name: event },
      ...more
    })
  }))
  const all = by.length > 0 ? [{ words: [...by, JSON.stringify(calls)], input: '' }] : calls
  for (const { words, input } of all) {
    const [program = '', ...rest] = words
    const child = spawn(program, rest, { cwd: place.root, env: place.env, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(input)
    expect(await finished(child)).toMatchObject({ code: 0, err: '' })
  }
}

/** An agent that calls its hooks and dies. */
const AGENT = [
  process.execPath,
  '-e',
  `for (const { words, input } of JSON.parse(process.argv[1])) require('node:child_process').spawnSync(words[0], words.slice(1), { input })`
]

function wrote(type: 'user' | 'assistant', content: string): void {
  const [uuid, parentUuid] = [`u${++record}`, record === 1 ? null : `u${record - 1}`]
  const message = type === 'user' ? { role: type, content } : { role: type, content: [{ type: 'text', text: content }] }
  appendFileSync(transcript, `${JSON.stringify({ type, uuid, parentUuid, sessionId: SESSION, message })}\n`)
}

async function turn(prompt: string, answer: string, colour: string): Promise<void> {
  const use = { tool_name: 'Write', tool_use_id: prompt, tool_input: { file_path: join(place.root, 'app.txt') } }
  await hook([['UserPromptSubmit', { prompt, prompt_id: prompt }]])
  wrote('user', prompt)
  await hook([['PreToolUse', use]])
  writeFileSync(join(place.root, 'app.txt'), `${colour}\n`)
  wrote('assistant', answer)
  await hook([
    ['PostToolUse', { ...use, tool_response: {} }],
    ['Stop', { last_assistant_message: answer, background_tasks: [] }]
  ])
}

interface Said {
  revision: number
  messages: { text: string; superseded: boolean }[]
}
const messages = async (): Promise<Said> => (await place.json<Said>(['messages', SESSION])).doc
const words = ({ messages }: Said): string[] =>
  messages.filter((message) => !message.superseded).map((message) => message.text)
interface Resumed {
  command: string
  cwd: string
  forkedFrom: string | null
  argv: string[]
}

describe('[RS-6] restore with the conversation', () => {
  test('both is the default, undo brings every word back, and resume goes on from there', async () => {
    await turn('make it green', 'It is green.', 'green')
    await turn('make it blue', 'It is blue.', 'blue')
    const before = await messages()

    const plan = await place.call(['restore', 'latest', '--dry-run'])
    expect(plan.out.toString()).toContain('conversation with claude-code, "make it green": 2 messages taken back')
    const { code, doc } = await place.json<{
      state: string
      conversation: { session: string; revision: number; superseded: number; resume: Resumed }
    }>(['restore', 'latest', '--yes'])
    expect({ code, state: doc.state }).toEqual({ code: 0, state: 'done' })
    expect(doc.conversation).toMatchObject({ session: SESSION, revision: 2, superseded: 2 })
    expect(place.read('app.txt')).toBe('green\n')
    expect(words(await messages())).toEqual(['make it green', 'It is green.'])

    const { doc: resumed } = await place.json<Resumed>(['resume', SESSION])
    expect(resumed).toMatchObject({ forkedFrom: SESSION, cwd: place.root, command: doc.conversation.resume.command })
    const file = join(dirname(transcript), `${resumed.argv.at(-1)}.jsonl`)
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    expect((await place.json(['undo', '--yes'])).code).toBe(0)
    expect(place.read('app.txt')).toBe('blue\n')
    expect(await messages()).toEqual(before)
    expect((await place.json(['redo', '--yes'])).code).toBe(0)
    expect(words(await messages())).toEqual(['make it green', 'It is green.'])
  })

  test('each mode does what it says; a wrong one is wrong usage', async () => {
    await turn('make it green', 'It is green.', 'green')
    const only = await place.json<{ items: unknown[]; conversation: object }>([
      ...['restore', 'latest', '--mode', 'conversation', '--yes']
    ])
    expect(only).toMatchObject({ code: 0, doc: { items: [], conversation: { superseded: 2 } } })
    expect(place.read('app.txt')).toBe('green\n')
    expect((await place.json(['undo', '--yes'])).code).toBe(0)
    const files = await place.json<object>(['restore', 'latest', '--mode', 'files', '--yes'])
    expect(files.doc).not.toHaveProperty('conversation')
    expect(place.read('app.txt')).toBe('red\n')
    expect(words(await messages())).toHaveLength(2)
    expect((await place.call(['restore', 'latest', '--mode', 'all'])).code).toBe(2)
  })

  test('resume prints a command for an earlier point, and with --fork prepares it', async () => {
    await turn('make it green', 'It is green.', 'green')
    await turn('make it blue', 'It is blue.', 'blue')
    const plain = await place.json<Resumed>(['resume', SESSION])
    expect(plain.doc).toMatchObject({ command: `claude --resume ${SESSION}`, cwd: place.root, forkedFrom: null })
    const early = await place.call(['resume', SESSION, '--at', 'latest'])
    expect(early.out.toString()).toContain('remembers what came after this point')
    const forked = await place.json<Resumed>(['resume', SESSION, '--at', 'latest', '--fork'])
    expect(forked.doc.forkedFrom).toBe(SESSION)
    expect(forked.doc.command).not.toContain(SESSION)
    expect(words(await messages()), 'nothing was taken back').toHaveLength(4)
    expect((await place.json(['resume', 'nobody'])).code).toBe(5)
  })
})

test('[GW-3] after its agent was killed, status says where the run stood and how to go on', async () => {
  const shell = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'make green' } }
  await hook(
    [
      ['UserPromptSubmit', { prompt: 'make it green', prompt_id: 'p' }],
      ['PreToolUse', shell]
    ],
    AGENT
  )
  place.write('app.txt', 'green\n')
  const { doc } = await place.json<{ interruptedRuns: object[] }>(['status'])
  expect(doc.interruptedRuns).toMatchObject([
    { session: SESSION, agent: 'claude-code', phase: 'execute', resume: { command: `claude --resume ${SESSION}` } }
  ])
  const text = (await place.call(['status'])).out.toString()
  expect(text).toContain('stopped in the middle of working while Bash: make green was open')
  expect(text).toContain('It had written 1 file; all of it is recorded.')
  expect(text).toContain(`claude --resume ${SESSION}`)
  expect(text).toContain('driftline undo-run')
})
