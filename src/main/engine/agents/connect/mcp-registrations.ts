/** Where each agent keeps its MCP servers, and how our server is added to and removed from that file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_NAME } from '../../../../contract/tools.ts'
import type { AgentId } from '../agent-action.ts'
import { getMember, removeMember, setMember } from './json-member.ts'
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
      jsonServers(places, claudeFile(places), 'mcpServers', {
        type: 'stdio',
        command: launcherFile(places.dataDir),
        args: ['mcp']
      }),
    note: `${NEXT_START} A running Claude Code may overwrite this setting; if it does, connect again.`
  },
  codex: {
    file: (places) =>
      tomlServers(
        places,
        join(places.project ? join(places.project, '.codex') : REGISTRATIONS.codex.folder(places), 'config.toml')
      ),
    note: NEXT_START
  },
  'gemini-cli': {
    file: (places) =>
      jsonServers(places, join(places.project ?? places.home, '.gemini', 'settings.json'), 'mcpServers', {
        command: launcherFile(places.dataDir),
        args: ['mcp']
      }),
    note: NEXT_START
  },
  'qwen-code': {
    file: (places) =>
      jsonServers(places, join(places.project ?? places.home, '.qwen', 'settings.json'), 'mcpServers', {
        command: launcherFile(places.dataDir),
        args: ['mcp']
      }),
    note: NEXT_START
  },
  opencode: {
    file: (places) =>
      jsonServers(places, opencodeFile(places), 'mcp', {
        type: 'local',
        command: [launcherFile(places.dataDir), 'mcp'],
        enabled: true
      }),
    note: NEXT_START
  },
  cline: null
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
  /** An entry is ours when it starts our launcher, whatever else the user added to it. */
  const isOurs = (value: unknown): boolean => {
    const command = (value as { command?: unknown } | null)?.command
    return (Array.isArray(command) ? command[0] : command) === launcherFile(dataDir)
  }
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      const current = getMember(text ?? '', object, SERVER_NAME)
      return current !== undefined && isOurs(current) ? text : setMember(text ?? '', object, SERVER_NAME, entry, isOurs)
    },
    disconnect: (text) =>
      text !== null && isOurs(getMember(text, object, SERVER_NAME)) ? removeMember(text, object, SERVER_NAME) : text,
    expected: 1,
    countFound: (text) => (isOurs(getMember(text ?? '', object, SERVER_NAME)) ? 1 : 0),
    command: commandOf(dataDir)
  }
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
      if (text !== null && findTable(text, TABLE))
        throw new TypeError(`[${TABLE.join('.')}] was not added by Driftline`)
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
