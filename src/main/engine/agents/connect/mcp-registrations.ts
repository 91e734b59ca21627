/** Where each agent keeps its MCP servers, and how the text of its file becomes one with ours and without. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_NAME } from '../../../../contract/tools.ts'
import type { AgentId } from '../agent-action.ts'
import { getMember, removeMember, setMember } from './json-member.ts'
import { launcherFile, quoteShell } from './launcher.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { findTable, removeTable, setTable } from './toml-table.ts'

export interface McpRegistration {
  readonly file: (places: Places) => ManagedFile
  /** What a person should know, after connecting. */
  readonly note: string
}

const NEXT_START = 'It is there from its next start on.'

/** Null: where that agent keeps its servers is not known well enough to write to it. */
export const MCP_REGISTRATIONS: Readonly<Record<AgentId, McpRegistration | null>> = {
  'claude-code': {
    file: (places) =>
      jsonServers(places, claudeFile(places), 'mcpServers', {
        type: 'stdio',
        command: launcherFile(places.dataDir),
        args: ['mcp']
      }),
    note: `${NEXT_START} A Claude Code that is open now may write its own settings over this: then connect once more.`
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

/** Its own state for the person, a file to be shared for a project. */
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
  /** Whatever a person added to it, it starts our program. */
  const isOurs = (value: unknown): boolean => {
    const command = (value as { command?: unknown } | null)?.command
    return (Array.isArray(command) ? command[0] : command) === launcherFile(dataDir)
  }
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      const there = getMember(text ?? '', object, SERVER_NAME)
      return there !== undefined && isOurs(there) ? text : setMember(text ?? '', object, SERVER_NAME, entry, isOurs)
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
  const isOurs = (text: string): boolean => findTable(text, TABLE)?.text.includes(`command = ${program}`) ?? false
  return {
    file,
    mode: 0o600,
    connect: (text) => {
      if (text !== null && isOurs(text)) return text
      if (text !== null && findTable(text, TABLE)) throw new TypeError(`its [${TABLE.join('.')}] is somebody else's`)
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
