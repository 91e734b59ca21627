/**
 * Real agents against a fake model and offline: connected, run, killed or stopped by a user, restored with the
 * conversation, and resumed. DRIFTLINE_REAL_AGENTS names the folder with their programs (docs/agents.md); without it
 * nothing runs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentProject, createAgentProject, killTree } from '../support/agent-project.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CODEX_CLI } from '../support/real-agents.ts'
import { hasTerminal, KEYS } from '../support/terminal.ts'

const LONG = 180_000
/** Time for an agent to start, and for Driftline to infer that a quiet one was stopped. */
const SOON = { timeout: 60_000, interval: 200 }
const HALF = 'THIRD prompt: [[run echo half > half.txt; sleep 20]]'

interface Status {
  activeRuns: unknown[]
  interruptedRuns: { run: string; session: string; phase: string; toolCall: string; files: number }[]
  drift: { paths: string[] }[]
}
const statusOf = async ({ place }: AgentProject) => (await place.json<Status>(['status'])).doc

/** How the third prompt is interrupted in the middle of its command. Resolves when it is over. */
type Interruption = (at: AgentProject, session: string) => Promise<void>

const killed: Interruption = async (at, session) => {
  const agent = at.start(HALF, session)
  await expect.poll(() => existsSync(join(at.place.root, 'half.txt')), SOON).toBe(true)
  await killTree(agent)
  const { interruptedRuns } = await statusOf(at)
  expect(interruptedRuns).toMatchObject([{ session, phase: 'execute', files: 1 }])
  expect(interruptedRuns[0]!.toolCall).toMatch(/^call_/)
  expect((await at.runs())[0]).toMatchObject({ state: 'interrupted', title: HALF })
}

/** The agent stays open in its terminal, as it does when a user restores beside it. */
const stopped: Interruption = async (at, session) => {
  const terminal = at.sit(HALF, session)
  await expect.poll(() => existsSync(join(at.place.root, 'half.txt')), SOON).toBe(true)
  terminal.press(KEYS.escape)
  await expect.poll(() => terminal.shown(), SOON).toMatch(/interrupted/i)
  at.place.write('mine.txt', 'a person, after the interrupt\n')
  await expect.poll(async () => (await statusOf(at)).activeRuns, SOON).toEqual([])
  const [third] = await at.runs()
  expect(third).toMatchObject({ state: 'ended', title: HALF, note: expect.stringContaining('stopped before') })
  expect(await at.changed(third!.id), 'its own edits and nothing else').toEqual({ 'half.txt': 'inferred' })
  expect(await statusOf(at)).toMatchObject({ interruptedRuns: [], drift: [{ paths: ['mine.txt'] }] })
}

interface Restored {
  state: string
  conversation: { prompt: string; resume: { argv: string[]; cwd: string; forkedFrom: string } }
}

describe.each([CLAUDE_CODE, CODEX_CLI])('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null

  const interruptions: readonly [string, Interruption][] = [
    ['is killed', killed],
    ...(hasTerminal ? [['is stopped with Esc', stopped] as [string, Interruption]] : [])
  ]
  test.skipIf(missing).each(interruptions)(
    'is connected, works, %s, is restored with its conversation, and resumes without later knowledge',
    { tags: ['agent'], timeout: LONG },
    async (_, interrupt) => {
      await using at = await createAgentProject(agent)
      const { place } = at
      await at.ask('FIRST prompt: [[write one.txt=one]]')
      const [first] = await at.runs()
      expect(first).toMatchObject({ title: 'FIRST prompt: [[write one.txt=one]]', state: 'ended', files: 1, note: '' })
      const session = first!.session!
      await at.ask('SECOND prompt: [[write two.txt=two]]', session)
      expect(at.sent()).toContain('FIRST prompt')

      await interrupt(at, session)
      const mine = existsSync(join(place.root, 'mine.txt'))
      const [, second, ...earlier] = await at.runs()
      expect([second!.state, earlier.map((entry) => entry.state)]).toEqual(['ended', ['ended']])

      const transcript = transcriptOf(at.home, session)
      const old = readFileSync(transcript)
      const { code, doc } = await place.json<Restored>(['restore', second!.id, '--yes'])
      expect({ code, state: doc.state }, JSON.stringify(doc)).toEqual({ code: 0, state: 'done' })
      expect(place.read('one.txt')).toBe('one\n')
      expect(['two.txt', 'half.txt'].filter((name) => existsSync(join(place.root, name)))).toEqual([])
      if (mine) expect(place.read('mine.txt')).toBe('a person, after the interrupt\n')
      expect(doc.conversation.prompt).toBe('SECOND prompt: [[write two.txt=two]]')
      expect(await at.said(session)).toEqual(['FIRST prompt: [[write one.txt=one]]'])

      const { resume } = doc.conversation
      expect(resume).toMatchObject({ forkedFrom: session, cwd: place.root })
      const fork = resume.argv.at(-1)!
      at.sent()
      await at.ask('FOURTH prompt: [[write four.txt=four]]', fork)
      const requests = at.sent()
      for (const words of ['FIRST prompt', 'Did: write one.txt', 'FOURTH prompt'])
        expect(requests, words).toContain(words)
      for (const words of ['SECOND prompt', 'THIRD prompt', 'two.txt', 'half.txt'])
        expect(requests, words).not.toContain(words)
      expect(place.read('four.txt')).toBe('four\n')
      // A program that is still open may have written more after it.
      const kept = readFileSync(transcript)
      expect(kept.subarray(0, old.length).equals(old), "the agent's own session is not touched").toBe(true)
      if (!mine) expect(kept).toHaveLength(old.length)

      const { doc: all } = await place.json<{ sessions: { id: string; forkedFrom: string }[] }>(['sessions'])
      expect(all.sessions.find((entry) => entry.id === fork)).toMatchObject({ forkedFrom: session })
      expect(await at.said(fork)).toEqual([
        'FIRST prompt: [[write one.txt=one]]',
        'FOURTH prompt: [[write four.txt=four]]'
      ])
    }
  )

  test.skipIf(missing || !hasTerminal)(
    'stopped with Esc before it answered, its run ends, and the next prompt is a new run',
    { tags: ['agent'], timeout: LONG },
    async () => {
      await using at = await createAgentProject(agent)
      const terminal = at.sit('FIRST prompt: [[think]]')
      await expect.poll(() => existsSync(join(at.home, 'requests.jsonl')), SOON).toBe(true)
      await expect.poll(() => terminal.shown(), SOON).toMatch(/esc to interrupt/)
      terminal.press(KEYS.escape)
      await expect.poll(async () => (await statusOf(at)).activeRuns, SOON).toEqual([])
      const [first] = await at.runs()
      expect(first).toMatchObject({ state: 'ended', files: 0, note: 'stopped before it finished' })

      // Claude Code puts the prompt back into its input for editing.
      terminal.press(KEYS.clearLine)
      terminal.press('SECOND prompt: [[write two.txt=two]]')
      await expect.poll(() => terminal.shown(), SOON).toMatch(/two\.txt/)
      terminal.press(KEYS.enter)
      await expect.poll(async () => (await at.runs()).map((run) => run.state), SOON).toEqual(['ended', 'ended'])
      const title = 'SECOND prompt: [[write two.txt=two]]'
      expect((await at.runs())[0]).toMatchObject({ session: first!.session, title, files: 1, note: '' })
      expect((await at.said(first!.session!)).at(-1)).toBe(title)
    }
  )
})

function transcriptOf(home: string, session: string): string {
  const found = spawnSync('find', [home, '-name', `*${session}.jsonl`], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  expect(found).toHaveLength(1)
  return found[0]!
}
