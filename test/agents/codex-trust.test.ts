/**
 * The real Codex runs our hooks only after the user trusted them, and reports their state. Opt-in like its
 * neighbours.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { type AgentProject, createAgentProject } from '../support/agent-project.ts'
import { programOf } from '../support/installed-agents.ts'
import { CODEX_CLI, type RealAgent } from '../support/real-agents.ts'

const program = programOf('codex')

/** As users have it: without the switch that lets every hook run. */
const PLAIN: RealAgent = {
  ...CODEX_CLI,
  ask: (prompt, session) => CODEX_CLI.ask(prompt, session).filter((word) => word !== '--dangerously-bypass-hook-trust')
}

interface Hook {
  readonly key: string
  readonly currentHash: string
}

/** Trusts all hooks, as its own `/hooks` does. */
async function trustAll({ place, home }: AgentProject): Promise<void> {
  const child = spawn(program!, ['app-server'], { cwd: place.root, env: place.env, stdio: ['pipe', 'pipe', 'ignore'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id: number, method: string, params: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`)
    for (;;) {
      const { value, done } = await answers.next()
      if (done) throw new Error(`${method} was not answered`)
      const answer = JSON.parse(value) as { id?: number; result?: unknown }
      if (answer.id === id) return answer.result
    }
  }
  await ask(1, 'initialize', { clientInfo: { name: 'person', version: '1' } })
  const { data } = (await ask(2, 'hooks/list', { cwds: [home] })) as { data: { hooks: Hook[] }[] }
  const value = Object.fromEntries(data[0]!.hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]))
  await ask(3, 'config/batchWrite', { edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }] })
  const over = new Promise((done) => child.once('exit', done))
  child.stdin.end()
  await over
}

test.skipIf(program === null)(
  'untrusted hooks do not run, which doctor reports; trusted ones run, and changed ones are reported again',
  { tags: ['agent'], timeout: 120_000 },
  async () => {
    await using at = await createAgentProject(PLAIN)
    const { place } = at
    place.env.PATH = `${dirname(program!)}:${place.env.PATH}`
    const examine = async () =>
      (await place.json<{ problems: { message: string }[] }>(['doctor'])).doc.problems.map((problem) => problem.message)

    expect(await examine()).toEqual([expect.stringMatching(/^codex: .*trust/)])
    await at.ask('FIRST prompt: [[write one.txt=one]]')
    expect(await at.runs()).toEqual([])

    await trustAll(at)
    expect(await examine()).toEqual([])
    await at.ask('SECOND prompt: [[write two.txt=two]]')
    expect(await at.runs()).toMatchObject([{ title: 'SECOND prompt: [[write two.txt=two]]', files: 1 }])

    // Another data folder means another text of the hooks.
    const elsewhere = { ...place.env, DRIFTLINE_DATA: join(at.home, 'elsewhere') }
    expect((await place.call(['disconnect', 'codex'])).code).toBe(0)
    Object.assign(place.env, elsewhere)
    expect((await place.call(['connect', 'codex'])).code).toBe(0)
    expect(await examine()).toEqual([expect.stringMatching(/^codex: .*trust/)])
  }
)
