/** Connecting adds only our entries to an agent's settings; disconnecting restores the file byte for byte. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { AGENTS, type AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { listAgentStates } from '../../../../src/main/engine/agents/connect/agent-states.ts'
import { type ConnectContext, connect, disconnect } from '../../../../src/main/engine/agents/connect/connect.ts'
import { addEntries, listEntries, removeEntries } from '../../../../src/main/engine/agents/connect/hook-entries.ts'
import { parseJson } from '../../../../src/main/engine/agents/connect/json-edit.ts'
import { guardedHookCommand, launcherFile } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { REGISTRATIONS } from '../../../../src/main/engine/agents/connect/registrations.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { CLI } from '../../../support/programs.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** Of settings that only some may read; Windows has no modes. */
const MODE = process.platform === 'win32' ? 0o666 : 0o640

function placesIn(base: string): ConnectContext {
  const home = join(base, 'home')
  const dataDir = join(base, "da'ta dir")
  mkdirSync(home)
  mkdirSync(dataDir)
  return { home, dataDir, env: { PATH: '' }, cli: CLI, now: 1000, createdFiles: new Set() }
}

const fileOf = (agent: AgentId, places: ConnectContext): string => REGISTRATIONS[agent].files(places)[0]!.file

const SETTINGS: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty object on two lines': '{\n}\n',
  'other settings': '{\n  "model": "opus",\n  "env": { "A": "1" }\n}\n',
  tabs: '{\n\t"model": "opus"\n}',
  'one line': '{"model":"opus","list":[1,2]}',
  'Windows line ends': '{\r\n  "model": "opus"\r\n}\r\n',
  'comments and a trailing comma':
    '// mine\n{\n  // the model\n  "model": "opus", /* why */\n  "x": [1, 2,],\n}\n// end\n',
  'hooks of another program':
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs.sh" }] }\n    ],\n    "Custom": []\n  },\n  "z": null\n}\n',
  'an empty list of hooks': '{\n  "hooks": {\n    "SessionStart": [],\n    "Stop": [ // none yet\n    ]\n  }\n}\n',
  'a byte order mark and odd names': '\ufeff{ "a\\"b": "\\u00e9", "h\u00f6": "{[" }\n'
}

describe('the text of a settings file', () => {
  const entries = ['SessionStart', 'PreToolUse', 'Stop'].map((event) => ({
    event,
    command: `run ${event}`,
    timeout: 5
  }))
  const ours = (command: string): boolean => command.startsWith('run ')

  test.each(Object.entries(SETTINGS))('%s: only our entries are added, and removed again', (_, before) => {
    const after = addEntries(before, entries)
    expect(listEntries(after).filter((entry) => ours(entry.command))).toEqual(
      expect.arrayContaining(entries.map(({ event, command }) => ({ event, command })))
    )
    expect(addEntries(after, entries), 'a second time adds nothing').toBe(after)
    expect(removeEntries(after, ours)).not.toContain('run ')
    for (const line of before.split('\n')) expect(after).toContain(line.replace(/[,\]}\s]*$/, ''))
    const plain = (text: string): string => JSON.stringify(getNodeValue(parseJson(text)))
    // An empty object on two lines comes back on one; connecting keeps a backup for that.
    const empty = before.includes('{\n}') || before.includes('[]') || before.includes('none yet')
    if (!empty) {
      expect(removeEntries(after, ours)).toBe(before)
      expect(plain(removeEntries(after, ours))).toBe(plain(before))
    }
  })

  test('entries added between ours stay when ours are removed', () => {
    const before = '{\n  "model": "opus"\n}\n'
    const after = addEntries(before, entries)
      .replace(
        '"PreToolUse": [',
        '"PreToolUse": [\n      // mine\n      { "hooks": [{ "type": "command", "command": "mine.sh" }] },'
      )
      .replace('"model"', '"theme": "dark",\n  "model"')
    const remaining = removeEntries(after, ours)
    expect(remaining).not.toContain('run ')
    expect(listEntries(remaining)).toEqual([{ event: 'PreToolUse', command: 'mine.sh' }])
    for (const kept of ['// mine', '"theme": "dark"', '"model": "opus"']) expect(remaining).toContain(kept)
  })
})

describe.each(AGENTS)('%s', (agent) => {
  test('connects, reports it, and disconnects byte for byte', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileOf(agent, places)
    const isSettings = file.endsWith('.json')
    const original = isSettings ? SETTINGS['hooks of another program']! : null
    if (original !== null) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, original)
      chmodSync(file, 0o640)
    }
    const shown = connect(agent, places, true)
    expect(shown).toMatchObject({ agent, scope: 'user', file, applied: false, backup: null })
    expect(shown.change).toContain(`hook ${agent}`.slice(0, agent === 'opencode' ? 4 : undefined))
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null, 'a preview writes nothing').toBe(original)
    expect(existsSync(launcherFile(places.dataDir))).toBe(false)

    const done = connect(agent, places, false)
    expect(done).toMatchObject({ applied: true, change: shown.change })
    expect(listAgentStates(places, {}).find((state) => state.id === agent)).toMatchObject({ connected: 'yes' })
    if (original !== null) {
      expect(readFileSync(done.backup!, 'utf8')).toBe(original)
      expect([statSync(file).mode & 0o777, statSync(done.backup!).mode & 0o777]).toEqual([MODE, MODE])
    }
    expect(connect(agent, places, false)).toMatchObject({ applied: false, change: '' })
    expect(disconnect(agent, places, false).applied).toBe(true)
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(original)
    expect(listAgentStates(places, {}).find((state) => state.id === agent)).toMatchObject({ connected: 'no' })
  })
})

test('linked settings stay a link; its target is changed', { tags: ['links'] }, () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const file = fileOf('claude-code', places)
  const real = join(temp.path, 'dotfiles.json')
  writeFileSync(real, '{}')
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(real, file)
  connect('claude-code', places, false)
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain('hook claude-code PreToolUse')
})

test('unparsable settings and foreign files are left alone and reported', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const file = fileOf('gemini-cli', places)
  mkdirSync(dirname(file), { recursive: true })
  for (const text of ['{ "a": ', '[]', '{"hooks": []}', '{"hooks": {"BeforeTool": {}}}']) {
    writeFileSync(file, text)
    expect(() => connect('gemini-cli', places, false)).toThrow(/Nothing was changed/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
  // Bytes that are not UTF-8 would not be written back unchanged.
  const bytes = Buffer.from('{ "name": "caf\xe9" }', 'latin1')
  writeFileSync(file, bytes)
  expect(() => connect('gemini-cli', places, false)).toThrow(/not UTF-8/)
  expect([readFileSync(file), readdirSync(dirname(file))]).toEqual([bytes, [basename(file)]])
  rmSync(file)
  mkdirSync(file)
  expect(() => connect('gemini-cli', places, false)).toThrow(/cannot be read \(EISDIR\). Nothing was changed/)
  const theirs = fileOf('cline', places)
  mkdirSync(dirname(theirs), { recursive: true })
  writeFileSync(theirs, '#!/bin/sh\necho mine\n')
  expect(() => connect('cline', places, false)).toThrow(/was not written by Driftline/)
  expect(readdirSync(dirname(theirs))).toHaveLength(1)
  expect(() => disconnect('cline', places, false)).not.toThrow()
  expect(readFileSync(theirs, 'utf8')).toContain('mine')
})

test('`agents` reports what is wrong: no events, partly connected, disabled', () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  const state = (id: string, lastEvents = {}) => listAgentStates(places, lastEvents).find((entry) => entry.id === id)!
  expect(state('codex')).toMatchObject({ found: false, connected: 'no', trusted: null, problems: [] })
  expect(connect('codex', places, false).notes).toEqual(['trust-hooks'])
  expect(state('codex')).toMatchObject({ found: true, connected: 'yes', trusted: false })
  expect(state('codex').problems).toEqual([{ code: 'no-trusted-hooks' }])
  expect(state('codex', { codex: 5 })).toMatchObject({ trusted: true, lastEventAt: 5, problems: [] })
  connect('claude-code', places, false)
  const file = fileOf('claude-code', places)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"PreToolUse"', '"disableAllHooks": true, "PreToolUs"'))
  expect(state('claude-code')).toMatchObject({ connected: 'partly' })
  expect(state('claude-code').problems.map(({ code }) => code)).toEqual(['all-off', 'incomplete'])
})

/** The launcher for POSIX shells; on Windows there is another beside it. */
const shellLauncher = ({ dataDir }: ConnectContext): string => readFileSync(join(dataDir, 'bin', 'driftline'), 'utf8')

describe('the launcher', () => {
  const inShell = (command: string, input: string) =>
    spawnSync(command, { shell: true, input, encoding: 'utf8', cwd: '/' })

  test('[GW-1] a hook whose program is missing succeeds silently', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const command = guardedHookCommand(places.dataDir, 'gemini-cli', 'BeforeTool')
    expect(inShell(command, '{}')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    connect('gemini-cli', { ...places, cli: join(temp.path, 'gone.js') }, false)
    expect(inShell(command, '{}')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    rmSync(places.dataDir, { recursive: true })
    expect(inShell(command, '{}')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  test('a new version is called by the same command', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    connect('codex', places, false)
    const text = readFileSync(fileOf('codex', places), 'utf8')
    connect('codex', { ...places, cli: '/somewhere/else/cli.cjs' }, false)
    expect(readFileSync(fileOf('codex', places), 'utf8')).toBe(text)
    expect(readFileSync(launcherFile(places.dataDir), 'utf8')).toContain(join('else', 'cli.cjs'))
    expect(shellLauncher(places)).toContain('/somewhere/else/cli.cjs')
  })
})

test('a host at another path is called as soon as it has started', async () => {
  using temp = tempFolder()
  const places = placesIn(temp.path)
  connect('codex', { ...places, cli: join(temp.path, 'old', 'cli.cjs') }, false)
  const programs = { ingest: join(temp.path, 'new', 'ingest-child.js') }
  const engine = await createEngine({
    dataDir: places.dataDir,
    home: places.home,
    host: 'server',
    watch: true,
    programs
  })
  await engine.close()
  expect(readFileSync(launcherFile(places.dataDir), 'utf8')).toContain(join('new', 'cli.cjs'))
  expect(shellLauncher(places)).toContain(join(temp.path, 'new', 'cli.cjs'))
})
