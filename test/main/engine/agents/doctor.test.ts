/** `doctor` reports connected agents whose hooks do not run: their work would not be recorded. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { doctorText } from '../../../../src/contract/words/doctor.ts'
import { readCodexTrust } from '../../../../src/main/engine/agents/connect/codex-trust.ts'
import { PROJECT, recordedEvents, replay } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

// No agent's program is on the PATH.
beforeEach(() => vi.stubEnv('PATH', ''))
afterEach(() => vi.unstubAllEnvs())

const examine = async (folder: RecordedFolder): Promise<string[]> =>
  (await folder.engine.call('doctor.run', {})).problems.map((problem) => `${problem.code} ${doctorText(problem)}`)
const connect = (folder: RecordedFolder, agent: string) =>
  folder.engine.call('agents.connect', { agent, dryRun: false })

test('a connected but unused agent is in order; an agent that is not connected is not mentioned', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  mkdirSync(join(folder.home, '.qwen'), { recursive: true })
  writeFileSync(join(folder.home, '.qwen', 'settings.json'), '{ not json')
  await connect(folder, 'claude-code')
  expect(await examine(folder)).toEqual([])
})

test('unparsable settings, missing entries and disabled hooks are reported', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await connect(folder, 'claude-code')
  await connect(folder, 'gemini-cli')
  const claude = join(folder.home, '.claude', 'settings.json')
  const settings = JSON.parse(readFileSync(claude, 'utf8')) as { hooks: Record<string, unknown> }
  const { Stop: _, ...hooks } = settings.hooks
  writeFileSync(claude, JSON.stringify({ disableAllHooks: true, hooks }))
  const found = await examine(folder)
  expect(found).toContainEqual(expect.stringMatching(/^Agent claude-code: .*disableAllHooks/))
  expect(found).toContainEqual(expect.stringMatching(/^Agent claude-code: \d+ of \d+ hooks are present/))
  expect(found.some((entry) => entry.includes('gemini-cli'))).toBe(false)
})

test('Codex: trust is read from its config.toml; an event proves it, too', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await connect(folder, 'codex')
  const hooks = join(folder.home, '.codex', 'hooks.json')
  const config = join(folder.home, '.codex', 'config.toml')
  const events = Object.keys((JSON.parse(readFileSync(hooks, 'utf8')) as { hooks: object }).hooks)
  const codex = async () => (await folder.engine.call('agents.list', {})).agents.find((agent) => agent.id === 'codex')
  expect(await examine(folder)).toEqual([expect.stringMatching(/^Agent codex: .*runs only trusted hooks/)])
  expect((await codex())?.trusted).toBe(false)
  const trust = (event: string): string =>
    `[hooks.state.${JSON.stringify(`${hooks}:${event}:0:0`)}]\ntrusted_hash = "sha256:1"\n\n`
  writeFileSync(config, `model = "gpt-5.5"\n\n${trust(events[0]!)}`)
  expect(await examine(folder)).toEqual([expect.stringMatching(/^Agent codex: Codex trusts 1 of \d+ hooks/)])
  appendFileSync(config, events.slice(1).map(trust).join(''))
  expect([await examine(folder), (await codex())?.trusted]).toEqual([[], true])
  writeFileSync(config, '')
  await replay(folder, 'codex', recordedEvents('codex', folder.root).slice(0, 2))
  expect([await examine(folder), (await codex())?.trusted]).toEqual([[], true])
})

test('Codex: both table forms, hooks of other files, disabled hooks', () => {
  using temp = tempFolder()
  const text = [
    '[hooks.state]',
    `"/h/hooks.json:stop:0:0" = { trusted_hash = "sha256:1" }`,
    `'/h/hooks.json:pre_tool_use:0:0' = { enabled = false, trusted_hash = "sha256:2" }`,
    '"/other/hooks.json:stop:0:0" = { trusted_hash = "sha256:3" }',
    '[hooks.state."/h/hooks.json:session_end:0:0"]',
    'enabled = true',
    '[other]',
    'trusted_hash = "sha256:4"'
  ].join('\n')
  writeFileSync(join(temp.path, 'config.toml'), text)
  expect(readCodexTrust(temp.path, '/h/hooks.json')).toEqual({ trusted: 2, off: 1 })
  expect(readCodexTrust(join(temp.path, 'nowhere'), '/h/hooks.json')).toEqual({ trusted: 0, off: 0 })
})
