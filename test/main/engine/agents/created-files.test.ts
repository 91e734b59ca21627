/** Files and folders that connecting created are deleted by disconnecting, unless they hold anything else. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS, type AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { type ConnectContext, connect, disconnect } from '../../../../src/main/engine/agents/connect/connect.ts'
import { MCP_REGISTRATIONS } from '../../../../src/main/engine/agents/connect/mcp-registrations.ts'
import { REGISTRATIONS } from '../../../../src/main/engine/agents/connect/registrations.ts'
import { tempFolder } from '../../../support/tmp.ts'

function placesIn(base: string): ConnectContext {
  const home = join(base, 'home')
  mkdirSync(home)
  let time = 1000
  return {
    home,
    dataDir: join(base, 'data'),
    env: { PATH: '' },
    cli: join(base, 'cli.cjs'),
    createdFiles: new Set(),
    get now() {
      return time++
    }
  }
}

/** Not those that only earlier versions wrote. */
const filesOf = (agent: AgentId, places: ConnectContext): string[] =>
  REGISTRATIONS[agent]
    .files(places)
    .filter(({ expected }) => expected > 0)
    .map(({ file }) => file)
const namesIn = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort()
/** Agents whose settings file also holds other settings. */
const SETTINGS = AGENTS.filter((agent) => agent !== 'cline' && agent !== 'opencode')

describe.each(AGENTS)('%s', (agent) => {
  test('restores a home without settings, and the preview names the deleted files and folders', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    connect(agent, places, false)
    const created = namesIn(places.home).map((name) => join(places.home, name))
    const shown = disconnect(agent, places, true)
    expect([...shown.removed].sort()).toEqual(created)
    expect(shown.change.match(/^\+\+\+ \/dev\/null/gm)).toHaveLength(filesOf(agent, places).length)
    expect(namesIn(places.home).map((name) => join(places.home, name))).toEqual(created)
    expect(disconnect(agent, places, false)).toMatchObject({ applied: true, removed: shown.removed, backup: null })
    expect(namesIn(places.home)).toEqual([])
  })

  if (MCP_REGISTRATIONS[agent])
    test('the same with our tools, in either order', () => {
      for (const order of [['hooks', 'mcp'] as const, ['mcp', 'hooks'] as const]) {
        using temp = tempFolder()
        const places = placesIn(temp.path)
        for (const integration of ['hooks', 'mcp'] as const) connect(agent, places, false, integration)
        for (const integration of order) disconnect(agent, places, false, integration)
        expect(namesIn(places.home)).toEqual([])
      }
    })

  test('folders stay that existed before or hold anything else', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const folder = dirname(filesOf(agent, places)[0]!)
    mkdirSync(folder, { recursive: true })
    connect(agent, places, false)
    disconnect(agent, places, false)
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
    connect(agent, places, false)
    writeFileSync(join(folder, 'mine'), '')
    expect(disconnect(agent, places, false).removed).toEqual(filesOf(agent, places))
    expect(readdirSync(folder)).toEqual(['mine'])
  })
})

describe.each(SETTINGS)('%s', (agent) => {
  const fileIn = (places: ConnectContext): string => filesOf(agent, places)[0]!
  const rewritten = (file: string, more: object): void =>
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }))

  test('a file that its agent rewrote is deleted, with a backup', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileIn(places)
    connect(agent, places, false)
    rewritten(file, {})
    const last = readFileSync(file, 'utf8')
    const done = disconnect(agent, places, false)
    expect(done.removed).toEqual([file])
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(done.backup!, 'utf8')).toBe(last)
  })

  test('a file with other entries stays, and belongs to the user from then on', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileIn(places)
    connect(agent, places, false)
    rewritten(file, { theme: 'dark' })
    expect(disconnect(agent, places, false).removed).toEqual([])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' })
    // Emptied by hand, and connected again.
    writeFileSync(file, '{}\n')
    connect(agent, places, false)
    rewritten(file, {})
    disconnect(agent, places, false)
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test('a file with only a comment stays, and so does one replaced by a link', { tags: ['links'] }, () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileIn(places)
    connect(agent, places, false)
    writeFileSync(file, `// mine\n${readFileSync(file, 'utf8')}`)
    disconnect(agent, places, false)
    expect(readFileSync(file, 'utf8')).toBe('// mine\n{}\n')
    rmSync(file)
    connect(agent, places, false)
    const real = join(temp.path, 'dotfiles.json')
    renameSync(file, real)
    symlinkSync(real, file)
    disconnect(agent, places, false)
    expect(readFileSync(real, 'utf8')).toBe('{}\n')
  })

  test('a backup of former settings is not restored over deleted settings', () => {
    using temp = tempFolder()
    const places = placesIn(temp.path)
    const file = fileIn(places)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{}\n')
    connect(agent, places, false)
    disconnect(agent, places, false)
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
    rmSync(file)
    connect(agent, places, false)
    disconnect(agent, places, false)
    expect(existsSync(file)).toBe(false)
  })
})
