/**
 * The agents page is right: versions, unreadable settings, policies, silent agents, and a connection test that sends
 * an event.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AgentState } from '../../../../src/contract/agents.ts'
import { quoteShell } from '../../../../src/contract/words/shell.ts'
import { AGENTS, type AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { listAgentStates } from '../../../../src/main/engine/agents/connect/agent-states.ts'
import { queryCodexTrust } from '../../../../src/main/engine/agents/connect/codex-trust.ts'
import { type ConnectContext, connect } from '../../../../src/main/engine/agents/connect/connect.ts'
import { launcherFile } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { REGISTRATIONS } from '../../../../src/main/engine/agents/connect/registrations.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { CLI, INGEST_PROGRAM } from '../../../support/programs.ts'
import { LONG } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'

afterEach(() => vi.unstubAllEnvs())

function placesIn(base: string): ConnectContext & { readonly system: string } {
  for (const name of ['home', 'data', 'system']) mkdirSync(join(base, name))
  return {
    home: join(base, 'home'),
    dataDir: join(base, 'data'),
    system: join(base, 'system'),
    env: { PATH: join(base, 'bin') },
    cli: CLI,
    now: 1000,
    createdFiles: new Set()
  }
}

function put(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}

const stateOf = (id: AgentId, places: ConnectContext, lastEvents: Record<string, number> = {}): AgentState =>
  listAgentStates(places, lastEvents).find((state) => state.id === id) as AgentState

test('an agent on the PATH is found, with the version of its program’s package', { tags: ['links'] }, () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  expect(stateOf('codex', places)).toMatchObject({ found: false, version: null })
  put(join(temp.path, 'lib/codex/bin/codex.js'), '#!/bin/sh\n', 0o755)
  put(join(temp.path, 'lib/codex/package.json'), '{"name": "@openai/codex", "version": "0.169.0"}')
  mkdirSync(join(temp.path, 'bin'))
  symlinkSync(join(temp.path, 'lib/codex/bin/codex.js'), join(temp.path, 'bin/codex'))
  expect(stateOf('codex', places)).toMatchObject({ found: true, version: '0.169.0' })
  writeFileSync(join(temp.path, 'lib/codex/package.json'), 'not json')
  expect(stateOf('codex', places)).toMatchObject({ found: true, version: null })
})

test('unreadable settings are reported with file and line; the other agents are still listed', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const file = join(places.home, '.qwen/settings.json')
  put(file, '{\n  "a": 1,\n  "b": 2\n  "c": 3\n}\n')
  expect(stateOf('qwen-code', places).unreadable).toEqual({
    file,
    line: 4,
    message: 'a comma is missing'
  })
  expect(() => connect('qwen-code', places, true)).toThrow(/line 4: a comma/)
  rmSync(file)
  mkdirSync(file)
  expect(stateOf('qwen-code', places).unreadable).toMatchObject({ file })
  expect(listAgentStates(places, {}).map(({ id }) => id)).toEqual(AGENTS)
})

test('an organisation’s policy is reported only if it disables hooks', { tags: ['linux'] }, () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const policies: Partial<Record<AgentId, readonly [string, string]>> = {
    'claude-code': ['etc/claude-code/managed-settings.json', '{ "allowManagedHooksOnly": true }'],
    codex: ['etc/codex/requirements.toml', 'x = 1\nallow_managed_hooks_only = true\n'],
    'gemini-cli': ['etc/gemini-cli/settings.json', '{ "hooksConfig": { "enabled": false } }'],
    'qwen-code': ['etc/qwen-code/settings.json', '{ "disableAllHooks": true }']
  }
  for (const [id, [name, text]] of Object.entries(policies)) {
    const file = join(places.system, name)
    put(file, text.replace('true', 'false').replace('"enabled": false', '"enabled": true'))
    expect(stateOf(id as AgentId, places).managed, id).toBe(null)
    writeFileSync(file, text)
    expect(stateOf(id as AgentId, places).managed?.file, id).toContain(file)
  }
})

test('a connected agent is silent when its own records are newer than its last event', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  connect('claude-code', places, false)
  const records = join(places.home, '.claude/projects/-code-shop/1.jsonl')
  put(records, '{}\n')
  const now = Date.now()
  expect(stateOf('claude-code', places, { 'claude-code': now })).toMatchObject({ silent: false, problems: [] })
  utimesSync(records, new Date(now), new Date(now + 60_000))
  expect(stateOf('claude-code', places, { 'claude-code': now }).silent, 'its last records come later').toBe(false)
  utimesSync(records, new Date(now), new Date(now + 600_000))
  expect(stateOf('claude-code', places, { 'claude-code': now }).silent).toBe(true)
  expect(stateOf('claude-code', places).silent, 'no events, but at work since it was connected').toBe(true)
  expect(stateOf('codex', places).silent, 'not connected').toBe(false)
})

/** A PATH with a shell, and with `codex` if given. */
function stubPath(base: string, codex?: string): void {
  const bin = join(base, 'only')
  mkdirSync(bin)
  if (process.platform === 'win32') {
    if (codex !== undefined) {
      put(join(bin, 'codex.cmd'), `@"${process.execPath}" "%~dp0codex.js" %*\r\n`)
      put(join(bin, 'codex.js'), codex)
    }
    return void vi.stubEnv('PATH', `${bin};${process.env.SystemRoot}\\System32\\WindowsPowerShell\\v1.0`)
  }
  symlinkSync('/bin/sh', join(bin, 'sh'))
  if (codex !== undefined) {
    put(join(bin, 'codex.cjs'), codex)
    put(
      join(bin, 'codex'),
      `#!/bin/sh\nexec ${quoteShell(process.execPath)} ${quoteShell(join(bin, 'codex.cjs'))}\n`,
      0o755
    )
  }
  vi.stubEnv('PATH', bin)
}

/** A Codex whose server replies to `hooks/list` with the hooks in its hooks.json, trusted except the first `left`. */
const codexThatTrusts = (untrusted: number): string => `
const { readFileSync, rmSync, writeFileSync } = require('node:fs')
const running = process.env.CODEX_HOME + '/running-' + process.pid
writeFileSync(running, '')
const file = process.env.CODEX_HOME + '/hooks.json'
const answer = (id, result) => console.log(JSON.stringify({ id, result }))
require('node:readline').createInterface({ input: process.stdin }).on('close', () => rmSync(running)).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') answer(id, {})
  if (method !== 'hooks/list') return
  const groups = Object.values(JSON.parse(readFileSync(file, 'utf8')).hooks).flat()
  const hooks = groups.flatMap((group) => group.hooks).map(({ command }, n) =>
    ({ command, sourcePath: file, enabled: true, trustStatus: n < ${untrusted} ? 'modified' : 'trusted' }))
  const other = { command: 'other', sourcePath: file, enabled: true, trustStatus: 'untrusted' }
  answer(id, { data: [{ cwd: '/', hooks: [...hooks, other] }] })
})
`

describe('Codex itself is queried for the hooks it trusts', () => {
  const engineIn = ({ dataDir, home }: ConnectContext) =>
    createEngine({ dataDir, home, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
  const TRUSTS = { code: 'untrusted', trusted: 7, hooks: 9 } as const

  test.each([
    ['hooks with a changed text are reported by test and doctor, even after earlier events', 2, TRUSTS],
    ['all are trusted', 0, null]
  ])('%s', async (_, untrusted, expected) => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    stubPath(temp.path, codexThatTrusts(untrusted))
    const engine = await engineIn(places)
    try {
      await engine.call('agents.connect', { agent: 'codex', dryRun: false })
      expect(await engine.call('agents.test', { agent: 'codex' })).toMatchObject({
        recorded: true,
        problem: expected
      })
      const input = { session_id: 's', cwd: temp.path, hook_event_name: 'SessionStart' }
      await engine.callUntyped('agent.event', toHookEvent('codex', { event: 'SessionStart', input }))
      const { problems } = await engine.call('doctor.run', {})
      expect(problems).toEqual(expected ? [{ workspace: '', code: 'Agent', agent: 'codex', problem: expected }] : [])
      const running = () => readdirSync(join(places.home, '.codex')).filter((name) => name.startsWith('running-'))
      await expect.poll(running, { message: 'it ends with its input' }).toEqual([])
    } finally {
      await engine.close()
    }
  })

  test.each([
    ['is another program', 'console.log("hello")'],
    [
      'does not know the request',
      'process.stdin.resume().on("data", () => console.log(JSON.stringify({ id: 2, error: {} })))'
    ]
  ])('a Codex that %s reports nothing', async (_, program) => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    stubPath(temp.path, program)
    const env = { PATH: process.env.PATH }
    connect('codex', { ...places, env }, false)
    expect(await queryCodexTrust({ ...places, env })).toBeNull()
  })
})

/** Each kind of settings; the others are of the first kind. */
const KINDS = LONG ? AGENTS : AGENTS.filter((agent) => ['claude-code', 'opencode', 'cline'].includes(agent))

/** A stand-in for it does nothing. */
const hasPowerShell = (): boolean => spawnSync('powershell.exe', ['-NoProfile', '-Command', 'exit 7']).status === 7

describe('a test event', () => {
  test.for(KINDS)('runs the command in the settings of %s and is recorded', async (agent, { skip }) => {
    if (agent === 'cline' && process.platform === 'win32' && !hasPowerShell()) return skip('Windows PowerShell')
    using temp = tempFolder()
    const places = placesIn(temp.path)
    stubPath(temp.path)
    const engine = await createEngine({
      dataDir: places.dataDir,
      home: places.home,
      host: 'cli',
      watch: false,
      programs: { ingest: INGEST_PROGRAM }
    })
    try {
      expect(await engine.call('agents.test', { agent })).toMatchObject({ sent: false, recorded: false })
      await engine.call('agents.connect', { agent, dryRun: false })
      const sent = await engine.call('agents.test', { agent })
      expect(sent).toMatchObject({ sent: true, recorded: true, problem: null })
      expect(sent.receivedMs).toBeGreaterThan(0)
      const { agents } = await engine.call('agents.list', {})
      expect(
        agents.find((state) => state.id === agent),
        'a test does not count as an event of the agent'
      ).toMatchObject({
        connected: 'yes',
        lastEventAt: null
      })

      const launcher = launcherFile(places.dataDir)
      writeFileSync(launcher, readFileSync(launcher, 'utf8').replaceAll(/(?:cli|hook)\.cjs/g, 'gone.cjs'))
      expect(await engine.call('agents.test', { agent })).toMatchObject({
        sent: true,
        receivedMs: null,
        recorded: false
      })
    } finally {
      await engine.close()
    }
  })

  test('runs in the project when the project was connected', async () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const project = join(temp.path, 'shop')
    mkdirSync(project)
    connect('claude-code', { ...places, project }, false)
    const file = REGISTRATIONS['claude-code'].files({ ...places, project })[0]?.file
    expect(stateOf('claude-code', { ...places, project } as ConnectContext)).toMatchObject({ connected: 'yes', file })
    expect(stateOf('claude-code', places)).toMatchObject({ connected: 'no' })
  })
})
