/**
 * Real agents, installed by whoever runs this, against a fake model and without a network: connected, run, cut off,
 * restored with the conversation, and gone on with from there. DRIFTLINE_REAL_AGENTS names the folder they are in
 * (docs/agents.md); without it nothing runs.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Called, finished, makePlace, type Place } from '../main/cli/place.ts'
import { besideModel, CLAUDE_ENV, programOf } from '../support/installed-agents.ts'

const LONG = 180_000

interface RealAgent {
  readonly id: string
  readonly program: string
  /** Words that ask once without a person. `session`: goes on with one. */
  ask(prompt: string, session: string | null): readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const AGENTS: readonly RealAgent[] = [
  {
    id: 'claude-code',
    program: 'claude',
    ask: (prompt, session) => [
      ...['-p', '--permission-mode', 'bypassPermissions'],
      ...(session ? ['--resume', session] : []),
      prompt
    ],
    env: CLAUDE_ENV
  },
  {
    id: 'codex',
    program: 'codex',
    ask: (prompt, session) => [
      'exec',
      ...['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
      ...['-c', 'model="gpt-5.5"', '-c', 'model_provider="fake"'],
      ...[
        '-c',
        'model_providers.fake={name="fake",base_url="{model}/v1",wire_api="responses",env_key="FAKE_KEY",request_max_retries=0}'
      ],
      ...(session ? ['resume', session] : []),
      prompt
    ],
    env: { FAKE_KEY: 'none' }
  }
]

let place: Place
let base: string
let requests: string
const started: ChildProcess[] = []

beforeEach(() => {
  // Codex does not like its folder below the one for temporary files.
  base = realpathSync(mkdtempSync(join(homedir(), '.driftline-agents-')))
  place = makePlace(base)
  requests = join(base, 'requests.jsonl')
})
afterEach(() => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
  }
  place.remove()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})

function start(agent: RealAgent, prompt: string, session: string | null = null): ChildProcess {
  const [program = '', ...words] = [
    ...besideModel(requests),
    ...[programOf(agent.program) ?? '', ...agent.ask(prompt, session)]
  ]
  const child = spawn(program, words, {
    cwd: place.root,
    env: { ...place.env, ...agent.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  started.push(child)
  return child
}

async function ask(agent: RealAgent, prompt: string, session: string | null = null): Promise<Called> {
  const called = await finished(start(agent, prompt, session))
  expect(called.code, `${called.out}${called.err}`).toBe(0)
  return called
}

/** What the model was sent since the last call, as one text. */
function sent(): string {
  const text = existsSync(requests) ? readFileSync(requests, 'utf8') : ''
  writeFileSync(requests, '')
  return text
}

interface Shown {
  entries: { id: string; title: string; session: string | null; state: string; files: number }[]
}
interface Said {
  messages: { role: string; text: string; superseded: boolean }[]
}
const runs = async () => (await place.json<Shown>(['log', '--kind', 'run'])).doc.entries
const said = async (session: string) =>
  (await place.json<Said>(['messages', session])).doc.messages
    .filter((one) => !one.superseded && one.role === 'user')
    .map((one) => one.text)

describe.each(AGENTS)('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null
  if (missing) console.info(`${agent.id} is not run: DRIFTLINE_REAL_AGENTS names no folder it is installed in.`)

  test.skipIf(missing)(
    'is connected, works, is cut off, goes back with its conversation, and goes on from there knowing no more',
    { timeout: LONG },
    async () => {
      place.write('app.txt', 'red\n')
      expect((await place.call(['add'])).code).toBe(0)
      expect((await place.call(['connect', agent.id])).code).toBe(0)

      await ask(agent, 'FIRST prompt: [[write one.txt=one]]')
      const [first] = await runs()
      expect(first).toMatchObject({ title: 'FIRST prompt: [[write one.txt=one]]', state: 'ended', files: 1 })
      const session = first!.session!
      await ask(agent, 'SECOND prompt: [[write two.txt=two]]', session)
      expect(sent()).toContain('FIRST prompt')

      const third = start(agent, 'THIRD prompt: [[run echo half > half.txt; sleep 20]]', session)
      const ended = finished(third)
      await expect.poll(() => existsSync(join(place.root, 'half.txt')), { timeout: 60_000 }).toBe(true)
      process.kill(-third.pid!, 'SIGKILL')
      await ended
      const { doc: status } = await place.json<{ interruptedRuns: { run: string; toolCall: string; files: number }[] }>(
        ['status']
      )
      expect(status.interruptedRuns).toMatchObject([{ session, phase: 'execute', files: 1 }])
      expect(status.interruptedRuns[0]!.toolCall).toMatch(/^call_/)
      expect((await runs()).map((one) => one.state)).toEqual(['interrupted', 'ended', 'ended'])

      const second = (await runs())[1]!
      const transcript = transcriptOf(session)
      const old = readFileSync(transcript)
      const { code, doc } = await place.json<{
        state: string
        conversation: {
          superseded: number
          prompt: string
          resume: { argv: string[]; cwd: string; forkedFrom: string }
        }
      }>(['restore', second.id, '--yes'])
      expect({ code, state: doc.state }, JSON.stringify(doc)).toEqual({ code: 0, state: 'done' })
      expect(existsSync(join(place.root, 'one.txt'))).toBe(true)
      expect(['two.txt', 'half.txt'].filter((name) => existsSync(join(place.root, name)))).toEqual([])
      expect(doc.conversation.prompt).toBe('SECOND prompt: [[write two.txt=two]]')
      expect(await said(session)).toEqual(['FIRST prompt: [[write one.txt=one]]'])

      const { resume } = doc.conversation
      expect(resume).toMatchObject({ forkedFrom: session, cwd: place.root })
      const fork = resume.argv.at(-1)!
      sent()
      await ask(agent, 'FOURTH prompt: [[write four.txt=four]]', fork)
      const told = sent()
      for (const [words, known] of [
        ['FIRST prompt', true],
        ['Did: write one.txt', true],
        ['FOURTH prompt', true]
      ] as const)
        expect(told.includes(words), words).toBe(known)
      for (const words of ['SECOND prompt', 'THIRD prompt', 'two.txt', 'half.txt'])
        expect(told, words).not.toContain(words)
      expect(readFileSync(join(place.root, 'four.txt'), 'utf8')).toBe('four\n')
      expect(readFileSync(transcript).equals(old), "the agent's own session is not touched").toBe(true)

      const { doc: all } = await place.json<{ sessions: { id: string; forkedFrom: string }[] }>(['sessions'])
      expect(all.sessions.find((one) => one.id === fork)).toMatchObject({ forkedFrom: session })
      expect(await said(fork)).toEqual([
        'FIRST prompt: [[write one.txt=one]]',
        'FOURTH prompt: [[write four.txt=four]]'
      ])
    }
  )
})

function transcriptOf(session: string): string {
  const found = spawnSync('find', [base, '-name', `*${session}.jsonl`], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  expect(found).toHaveLength(1)
  return found[0]!
}
