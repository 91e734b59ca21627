/** Where each agent keeps its MCP servers, and how our server is added to and removed from that file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { SERVER_NAME } from '../../../../contract/tools.ts'
import type { AgentId } from '../agent-action.ts'
import { asFields } from '../payload.ts'
import { addValue, findValue, removeValue } from './json-edit.ts'
import { launcherFile, quoteShell } from './launcher.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { findTable, readToml, removeTable, setTable } from './toml-table.ts'

export interface McpRegistration {
  readonly file: (places: Places) => ManagedFile
  /** Shown to the user after connecting; "" for nothing. */
  readonly note: string
}

const NEXT_START = 'The tools are available from the next start.'

/** Null: we do not know the agent's format well enough to write to it. */
export const MCP_REGISTRATIONS: Readonly<Record<AgentId, McpRegistration | null>> = {
  'claude-code': {
    file: (places) =>
      jsonServers(places, claudeFile(places), 'mcpServers', { type: 'stdio', ...serverProgram(places) }),
    note: `${NEXT_START} A running Claude Code may overwrite this setting; if it does, connect again.`
  },
  codex: {
    file: (places) => tomlServers(places, join(REGISTRATIONS.codex.settingsFolder(places), 'config.toml')),
    note: NEXT_START
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
    note: NEXT_START
  },
  cline: null
}

/** For an agent that keeps its servers in the same file as its hooks. */
function inSettings(agent: AgentId): McpRegistration {
  const file = (places: Places): string => join(REGISTRATIONS[agent].settingsFolder(places), 'settings.json')
  return {
    file: (places) => jsonServers(places, file(places), 'mcpServers', serverProgram(places)),
    note: NEXT_START
  }
}

function serverProgram({ dataDir }: Places) {
  return { command: launcherFile(dataDir), args: ['mcp'] }
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

function jsonServers({ dataDir }: Places, file: string, object: string, entry: Record<string, unknown>): ManagedFile {
  const path = [object, SERVER_NAME] as const
  /** Whether there is an entry, and whether it is ours: it starts our launcher, whatever else the user added to it. */
  const stateIn = (text: string | null): 'none' | 'ours' | 'foreign' => {
    const found = findValue(text ?? '', path)
    if (!found) return 'none'
    const { command } = asFields(getNodeValue(found))
    return [command].flat()[0] === launcherFile(dataDir) ? 'ours' : 'foreign'
  }
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      const state = stateIn(text)
      if (state === 'foreign') throw notOurs(`"${path.join('.')}"`)
      return state === 'ours' ? text : addValue(text ?? '', path, entry)
    },
    disconnect: (text) => (text !== null && stateIn(text) === 'ours' ? removeValue(text, path) : text),
    expected: 1,
    countFound: (text) => (stateIn(text) === 'ours' ? 1 : 0),
    command: commandOf(dataDir)
  }
}

function notOurs(name: string): TypeError {
  return new TypeError(`${name} was not added by Driftline`)
}

const TABLE = ['mcp_servers', SERVER_NAME]

function tomlServers({ dataDir }: Places, file: string): ManagedFile {
  const program = JSON.stringify(launcherFile(dataDir))
  const isOurs = (text: string): boolean => readToml(text, [...TABLE, 'command']) === launcherFile(dataDir)
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      if (text !== null && isOurs(text)) return text
      if (text !== null && findTable(text, TABLE)) throw notOurs(`[${TABLE.join('.')}]`)
      return setTable(text ?? '', TABLE, `[${TABLE.join('.')}]\ncommand = ${program}\nargs = ["mcp"]\n`)
    },
    disconnect: (text) => (text !== null && isOurs(text) ? removeTable(text, TABLE) : text),
    expected: 1,
    countFound: (text) => (text !== null && isOurs(text) ? 1 : 0),
    command: commandOf(dataDir)
  }
}

function commandOf(dataDir: string): string {
  return `${quoteShell(launcherFile(dataDir))} mcp`
}
