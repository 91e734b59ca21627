/** Connecting our tools adds one entry to an agent's settings; disconnecting restores the file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import type { AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { listAgentStates } from '../../../../src/main/engine/agents/connect/agent-states.ts'
import { type ConnectContext, connect, disconnect } from '../../../../src/main/engine/agents/connect/connect.ts'
import { findValue } from '../../../../src/main/engine/agents/connect/json-edit.ts'
import { launcherFile } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { MCP_REGISTRATIONS } from '../../../../src/main/engine/agents/connect/mcp-registrations.ts'
import { findTable, removeTable, setTable } from '../../../../src/main/engine/agents/connect/toml-table.ts'
import { CLI } from '../../../support/programs.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** Windows has no names with quotes. */
const NAME = process.platform === 'win32' ? "da'ta dir" : 'da"ta dir'

function placesIn(base: string, more: Partial<ConnectContext> = {}): ConnectContext {
  const home = join(base, 'home')
  const dataDir = join(base, NAME)
  mkdirSync(home)
  mkdirSync(dataDir)
  return { home, dataDir, env: { PATH: '' }, cli: CLI, now: 1000, createdFiles: new Set(), ...more }
}

const fileOf = (agent: AgentId, places: ConnectContext): string => MCP_REGISTRATIONS[agent]!.file(places).file

const valueIn = (file: string, object: string): unknown => {
  const found = findValue(readFileSync(file, 'utf8'), [object, 'driftline'])
  return found && getNodeValue(found)
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const JSON_AGENTS = {
  'claude-code': 'mcpServers',
  'gemini-cli': 'mcpServers',
  'qwen-code': 'mcpServers',
  opencode: 'mcp'
} as const

const SETTINGS: Readonly<Record<string, string>> = {
  nothing: '',
  'other settings': '{\n  "theme": "dark",\n  "n": 1\n}\n',
  'servers of others':
    '{\n\t"mcpServers": {\n\t\t"git": { "command": "x" } // mine\n\t},\n\t"mcp": { "git": { "type": "local", "command": ["x"] } }\n}',
  'Windows line ends': '{\r\n  "mcpServers": {},\r\n  "mcp": {}\r\n}\r\n'
}

describe.each(Object.entries(JSON_AGENTS) as [AgentId, string][])('%s', (agent, object) => {
  test.each(Object.entries(SETTINGS))('keeps %s byte for byte', (_, text) => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf(agent, places)
    if (text !== '') put(file, text)
    const preview = connect(agent, places, true, 'mcp')
    expect(preview).toMatchObject({ file, applied: false })
    expect(preview.change).toContain('driftline')
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text)
    const done = connect(agent, places, false, 'mcp')
    expect(done).toMatchObject({ applied: true })
    expect(done.backup === null).toBe(text === '')
    expect(listAgentStates(places, {}).find((state) => state.id === agent)).toMatchObject({
      tools: { on: true },
      connected: 'no'
    })
    const entry = valueIn(file, object) as { command: string | string[] }
    expect([entry.command].flat()[0]).toBe(launcherFile(places.dataDir))
    expect(existsSync(launcherFile(places.dataDir))).toBe(true)
    expect(connect(agent, places, false, 'mcp')).toMatchObject({ applied: false, change: '' })
    disconnect(agent, { ...places, now: 2000 }, false, 'mcp')
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text)
    expect(disconnect(agent, places, false, 'mcp')).toMatchObject({ applied: false, change: '' })
  })

  test('removes its own entry from a changed file, and leaves an entry of that name that is not ours', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf(agent, places)
    put(file, '{\n  "a": 1\n}\n')
    connect(agent, places, false, 'mcp')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2'))
    disconnect(agent, { ...places, now: 2000 }, false, 'mcp')
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": 2\n}\n')
    const theirs = `{ "${object}": { "driftline": { "command": "other" } } }\n`
    writeFileSync(file, theirs)
    expect(() => connect(agent, places, false, 'mcp')).toThrow('was not added by Driftline')
    disconnect(agent, places, false, 'mcp')
    expect(readFileSync(file, 'utf8')).toBe(theirs)
  })
})

test('hooks and tools in one file are added and removed independently', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const file = fileOf('gemini-cli', places)
  put(file, '{\n  "theme": "dark"\n}\n')
  connect('gemini-cli', places, false)
  const hooked = readFileSync(file, 'utf8')
  connect('gemini-cli', { ...places, now: 2000 }, false, 'mcp')
  disconnect('gemini-cli', { ...places, now: 3000 }, false, 'mcp')
  expect(readFileSync(file, 'utf8')).toBe(hooked)
  connect('gemini-cli', { ...places, now: 4000 }, false, 'mcp')
  disconnect('gemini-cli', { ...places, now: 5000 }, false)
  expect(valueIn(file, 'mcpServers')).toBeTruthy()
  disconnect('gemini-cli', { ...places, now: 6000 }, false, 'mcp')
  expect(readFileSync(file, 'utf8')).toBe('{\n  "theme": "dark"\n}\n')
})

test('for a project, the entry is written to the project file that the agent reads', () => {
  using temp = tempFolder()
  const project = join(temp.path, 'app')
  mkdirSync(project)
  const places = placesIn(temp.path, { project })
  const files = (['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode'] as const).map((agent) =>
    relative(project, fileOf(agent, places)).replaceAll(sep, '/')
  )
  expect(files).toEqual([
    '.mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.qwen/settings.json',
    'opencode.json'
  ])
})

test('an agent without known MCP settings is refused with instructions', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  expect(() => connect('cline', places, false, 'mcp')).toThrow('driftline mcp')
  expect(disconnect('cline', places, false, 'mcp')).toMatchObject({ applied: false, change: '' })
})

const TOML: Readonly<Record<string, string>> = {
  nothing: '',
  'other tables':
    'model = "gpt-5.5"\n\n# servers\n[mcp_servers.git]\ncommand = "git-mcp"\nargs = [\n  "a", # one\n  "[mcp_servers.driftline]",\n]\n',
  'a string that looks like a table': 'notes = """\n[mcp_servers.driftline]\ncommand = "x"\n"""\n',
  'Windows line ends': 'model = "x"\r\n[a]\r\nb = 1\r\n',
  'no last line end': '[a]\nb = 1',
  'an empty last line': '[a]\nb = 1\n\n'
}

describe('codex', () => {
  test.each(Object.entries(TOML))('keeps %s byte for byte', (_, text) => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf('codex', places)
    if (text !== '') put(file, text)
    expect(connect('codex', places, false, 'mcp')).toMatchObject({ applied: true })
    const now = readFileSync(file, 'utf8')
    expect(now.startsWith(text)).toBe(true)
    expect(findTable(now, ['mcp_servers', 'driftline'])?.text.replaceAll('\r\n', '\n')).toBe(
      `[mcp_servers.driftline]\ncommand = ${JSON.stringify(launcherFile(places.dataDir))}\nargs = ["mcp"]\n`
    )
    expect(connect('codex', places, false, 'mcp')).toMatchObject({ applied: false })
    disconnect('codex', { ...places, now: 2000 }, false, 'mcp')
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text)
  })

  test('additions to our table are removed with it, and what follows stays', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf('codex', places)
    put(file, 'a = 1\n')
    connect('codex', places, false, 'mcp')
    writeFileSync(
      file,
      `${readFileSync(file, 'utf8')}startup_timeout_sec = 20\n[mcp_servers.driftline.env]\nA = "b"\n\n# mine\n[other]\nx = 1\n`
    )
    disconnect('codex', { ...places, now: 2000 }, false, 'mcp')
    expect(readFileSync(file, 'utf8')).toBe('a = 1\n\n# mine\n[other]\nx = 1\n')
  })

  test.each([
    ['in one line', 'mcp_servers = { git = { command = "x" } }\n'],
    ['as a value', '[mcp_servers]\ndriftline = { command = "x" }\n'],
    ['with dots', 'mcp_servers.driftline.command = "x"\n'],
    ['of another program', '[mcp_servers.driftline]\ncommand = "x"\n']
  ])('an existing table %s is refused and stays', (_, text) => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf('codex', places)
    put(file, text)
    expect(() => connect('codex', places, false, 'mcp')).toThrow('Nothing was changed')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('quoted names mean the same table', () => {
    const text = 'x = 1\n\n["mcp_servers" . \'driftline\']\ncommand = "x"\n'
    expect(findTable(text, ['mcp_servers', 'driftline'])?.text).toBe('["mcp_servers" . \'driftline\']\ncommand = "x"\n')
    expect(removeTable(text, ['mcp_servers', 'driftline'])).toBe('x = 1\n')
    expect(setTable(text, ['mcp_servers', 'driftline'], '[n]\n')).toBe('x = 1\n\n[n]\n')
  })
})
