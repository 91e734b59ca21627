/** Where each agent keeps its MCP servers, and how our server is added to and removed from that file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import type { AgentNote } from '../../../../contract/agents.ts'
import { SERVER_NAME } from '../../../../contract/tools.ts'
import { quoteShell } from '../../../../contract/words/shell.ts'
import type { AgentId } from '../agent-action.ts'
import { asFields } from '../payload.ts'
import { addValue, findValue, removeValue } from './json-edit.ts'
import { launcherFile } from './launcher.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { readToml, removeTable, setTable } from './toml-table.ts'

interface McpRegistration {
  readonly file: (places: Places) => ManagedFile
  /** What a person should know after connecting. */
  readonly notes: readonly AgentNote[]
}

/** Null: we do not know the agent's format well enough to write to it. */
export const MCP_REGISTRATIONS: Readonly<Record<AgentId, McpRegistration | null>> = {
  'claude-code': {
    file: (places) =>
      jsonServers(places, claudeFile(places), 'mcpServers', { type: 'stdio', ...serverProgram(places) }),
    notes: ['next-start', 'may-be-overwritten']
  },
  codex: {
    file: (places) => tomlServers(places, join(REGISTRATIONS.codex.settingsFolder(places), 'config.toml')),
    notes: ['next-start']
  },
  'gemini-cli': inSettings('gemini-cli'),
  'qwen-code': inSettings('qwen-code'),
  opencode: {
    file: (places) => {
      const { command, args } = serverProgram(places)
      return jsonServers(places, opencodeFile(places), 'mcp', {
        type: 'local',
        command: [command, ...args],
        enabled: true
      })
    },
    notes: ['next-start']
  },
  cline: null
}

/** For an agent that keeps its servers in the same file as its hooks. */
function inSettings(agent: AgentId): McpRegistration {
  const file = (places: Places): string => join(REGISTRATIONS[agent].settingsFolder(places), 'settings.json')
  return {
    file: (places) => jsonServers(places, file(places), 'mcpServers', serverProgram(places)),
    notes: ['next-start']
  }
}

function serverProgram({ dataDir, platform }: Places) {
  return { command: launcherFile(dataDir, platform), args: ['mcp'] }
}

/** Claude Code's state file for the user, or the shared file of a project. */
function claudeFile({ project, home, env, agentHome }: Places): string {
  if (project) return join(project, '.mcp.json')
  return join(agentHome || env.CLAUDE_CONFIG_DIR || home, '.claude.json')
}

function opencodeFile(places: Places): string {
  const folder = places.project ?? REGISTRATIONS.opencode.folder(places)
  const commented = join(folder, 'opencode.jsonc')
  return existsSync(commented) ? commented : join(folder, 'opencode.json')
}

/** How an agent's settings hold our server. */
interface ServerEntry {
  /** Names the entry in messages. */
  readonly name: string
  /** The entry's value; undefined when there is none. */
  read(text: string): unknown
  add(text: string): string
  remove(text: string): string
}

function serverFile({ dataDir, platform }: Places, file: string, entry: ServerEntry): ManagedFile {
  const launcher = launcherFile(dataDir, platform)
  const commandOf = (value: unknown): unknown => [asFields(value).command].flat()[0]
  const isCurrent = (value: unknown): boolean => commandOf(value) === launcher
  /**
   * An entry is ours when it starts our launcher, whatever else the user added to it. Earlier versions named it without
   * its ending.
   */
  const isOurs = (value: unknown): boolean => isCurrent(value) || `${commandOf(value)}.cmd` === launcher
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      const value = entry.read(text ?? '')
      if (value === undefined) return entry.add(text ?? '')
      if (!isOurs(value)) throw new TypeError(`${entry.name} was not added by Driftline`)
      return isCurrent(value) ? text : entry.add(entry.remove(text ?? ''))
    },
    disconnect: (text) => (text !== null && isOurs(entry.read(text)) ? entry.remove(text) : text),
    expected: 1,
    countFound: (text) => (isCurrent(entry.read(text ?? '')) ? 1 : 0),
    command: `${quoteShell(launcher)} mcp`
  }
}

function jsonServers(places: Places, file: string, object: string, server: Record<string, unknown>): ManagedFile {
  const path = [object, SERVER_NAME] as const
  return serverFile(places, file, {
    name: `"${path.join('.')}"`,
    read: (text) => {
      const found = findValue(text, path)
      return found ? getNodeValue(found) : undefined
    },
    add: (text) => addValue(text, path, server),
    remove: (text) => removeValue(text, path)
  })
}

function tomlServers(places: Places, file: string): ManagedFile {
  const table = ['mcp_servers', SERVER_NAME]
  const name = `[${table.join('.')}]`
  const program = JSON.stringify(launcherFile(places.dataDir, places.platform))
  return serverFile(places, file, {
    name,
    read: (text) => readToml(text, table),
    add: (text) => setTable(text, table, `${name}\ncommand = ${program}\nargs = ["mcp"]\n`),
    remove: (text) => removeTable(text, table)
  })
}
