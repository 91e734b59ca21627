/**
 * Where each agent keeps its hooks, which events we register for, and how our entries are added to and removed from
 * that file.
 */
import { join } from 'node:path'
import type { AgentNote } from '../../../../contract/agents.ts'
import { quoteShell } from '../../../../contract/words/shell.ts'
import type { AgentId } from '../agent-action.ts'
import { addEntries, listEntries, removeEntries } from './hook-entries.ts'
import { guardedHookCommand, isOwnHookCommand, launcherFile } from './launcher.ts'
import { pluginText } from './opencode-plugin.ts'
import { powerShellCommand } from './windows-hooks.ts'

/** The text of a file; null = no file. */
type Text = string | null

/**
 * A file of an agent's settings that we edit. Pure functions from text to text; writing is left to settings-file.ts.
 */
export interface ManagedFile {
  readonly file: string
  /** Mode of a new file. */
  readonly mode: number
  /**
   * Adds our entries. Throws SettingsSyntaxError or TypeError when the file cannot be parsed, ForeignFile when it is
   * not ours.
   */
  readonly connect: (text: Text) => Text
  /** Removes our entries. */
  readonly disconnect: (text: Text) => Text
  /** Number of our entries it should have. */
  readonly expected: number
  /** Number of our entries it has. */
  readonly countFound: (text: Text) => number
  /** The registered command, for a shell. */
  readonly command: string
}

export interface Places {
  readonly dataDir: string
  /** The user's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The agent's own folder, when it is not the default one. */
  readonly agentHome?: string
  /** A project's folder, to register for the project instead of the user. */
  readonly project?: string
  /** Root of the folders with organisations' policies; default "/". */
  readonly system?: string
  /** The agent's platform; default that of this process. */
  readonly platform?: string
}

export interface Registration {
  /** The agent's folder; it exists when the agent is installed. */
  readonly folder: (places: Places) => string
  /** The folder of its settings: that of a project, or its own. */
  readonly settingsFolder: (places: Places) => string
  /** Name of its program. */
  readonly program: string
  /** What a person should know after connecting. */
  readonly notes: readonly AgentNote[]
  /** The folder of the agent's own session records (JSON files); null when it keeps none. */
  readonly records: (places: Places) => string | null
  readonly files: (places: Places) => readonly ManagedFile[]
}

const CLAUDE_EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop StopFailure SubagentStop PreCompact SessionEnd'
const CODEX_EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse Stop Interrupt SubagentStop PreCompact SessionEnd'
const GEMINI_EVENTS = 'SessionStart BeforeAgent BeforeTool AfterTool AfterAgent SessionEnd'
const CLINE_EVENTS =
  'TaskStart TaskResume UserPromptSubmit PreToolUse PostToolUse TaskComplete TaskCancel SessionShutdown'

/** An agent whose hooks are entries of a JSON file in its folder. */
interface SettingsAgent {
  readonly program: string
  /** Name of its folder, in the user's home folder or a project. */
  readonly name: string
  /** Environment variable that names another folder instead of the one in the home folder. */
  readonly variable?: string
  /** Names in its folder: the file with the hooks, and the folder with its records. */
  readonly file: string
  readonly records: string
  readonly events: string
  readonly timeout: number
  readonly notes?: readonly AgentNote[]
}

function createRegistration(agent: AgentId, settings: SettingsAgent): Registration {
  const { name, variable } = settings
  const folder = ({ home, env, agentHome }: Places): string =>
    (variable && (agentHome || env[variable])) || join(home, name)
  const settingsFolder = (places: Places): string => (places.project ? join(places.project, name) : folder(places))
  return {
    folder,
    settingsFolder,
    program: settings.program,
    notes: settings.notes ?? [],
    records: (places) => join(folder(places), settings.records),
    files: (places) => [settingsFile(places, agent, join(settingsFolder(places), settings.file), settings)]
  }
}

export const REGISTRATIONS: Readonly<Record<AgentId, Registration>> = {
  'claude-code': createRegistration('claude-code', {
    program: 'claude',
    name: '.claude',
    variable: 'CLAUDE_CONFIG_DIR',
    file: 'settings.json',
    records: 'projects',
    events: CLAUDE_EVENTS,
    timeout: 5
  }),
  codex: createRegistration('codex', {
    program: 'codex',
    name: '.codex',
    variable: 'CODEX_HOME',
    file: 'hooks.json',
    records: 'sessions',
    events: CODEX_EVENTS,
    timeout: 5,
    notes: ['trust-hooks']
  }),
  'gemini-cli': createRegistration('gemini-cli', {
    program: 'gemini',
    name: '.gemini',
    file: 'settings.json',
    records: 'tmp',
    events: GEMINI_EVENTS,
    timeout: 5000
  }),
  'qwen-code': createRegistration('qwen-code', {
    program: 'qwen',
    name: '.qwen',
    file: 'settings.json',
    records: 'projects',
    events: CLAUDE_EVENTS,
    timeout: 5
  }),
  cline: {
    folder: ({ home }) => join(home, '.cline'),
    settingsFolder: ({ home, project }) => (project ? join(project, '.clinerules') : join(home, '.cline')),
    program: 'cline',
    notes: [],
    records: (places) => join(REGISTRATIONS.cline.folder(places), 'data'),
    files: (places) => {
      const folder = join(REGISTRATIONS.cline.settingsFolder(places), 'hooks')
      return CLINE_EVENTS.split(' ').flatMap((event) => clineFiles(places, join(folder, event), event))
    }
  },
  opencode: {
    folder: ({ home, env }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
    settingsFolder: (places) =>
      places.project ? join(places.project, '.opencode') : REGISTRATIONS.opencode.folder(places),
    program: 'opencode',
    notes: ['downloads-plugin'],
    records: () => null,
    files: (places) => [
      wholeFile(
        join(REGISTRATIONS.opencode.settingsFolder(places), 'plugin', 'driftline.js'),
        pluginText(MARK, launcherFile(places.dataDir, places.platform), places.platform),
        guardedHookCommand(places.dataDir, 'opencode', 'event', places.platform)
      )
    ]
  }
}

/** The mark in files that are entirely ours. Never change it: installed files are recognised by it. */
const MARK = 'Written by Driftline (driftline connect); removed by driftline disconnect.'

/**
 * One hook of Cline: a shell script, or on Windows a PowerShell script, for which Windows PowerShell needs a byte order
 * mark.
 */
function clineFiles(places: Places, file: string, event: string): ManagedFile[] {
  const { dataDir, platform = process.platform } = places
  if (platform !== 'win32') {
    const command = guardedHookCommand(dataDir, 'cline', event, platform)
    return [{ ...wholeFile(file, `#!/bin/sh\n# ${MARK}\n${command}\n`, quoteShell(file)), mode: 0o755 }]
  }
  const command = powerShellCommand(launcherFile(dataDir, platform), ['hook', 'cline', event])
  const script = `${file}.ps1`
  const start = `powershell -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "${script}"`
  return [wholeFile(script, `\ufeff# ${MARK}\r\n${command}\r\n`, start), retiredFile(file)]
}

/** A file that an earlier version wrote: it is ours, and removed by connecting, too. */
function retiredFile(file: string): ManagedFile {
  const { disconnect } = wholeFile(file, '', '')
  return { file, mode: 0o644, connect: disconnect, disconnect, expected: 0, countFound: () => 0, command: '' }
}

/** A file at our path that we did not write; it stays. */
export class ForeignFile extends Error {}

function wholeFile(file: string, ours: string, command: string): ManagedFile {
  const isOurs = (text: Text): boolean => text?.includes(MARK) ?? false
  return {
    file,
    mode: 0o644,
    connect: (text) => {
      if (text !== null && !isOurs(text)) throw new ForeignFile(file)
      return ours
    },
    disconnect: (text) => (isOurs(text) ? null : text),
    expected: 1,
    countFound: (text) => (text === ours ? 1 : 0),
    command
  }
}

function settingsFile(
  { dataDir, platform }: Places,
  agent: AgentId,
  file: string,
  { events, timeout }: SettingsAgent
): ManagedFile {
  const entries = events
    .split(' ')
    .map((event) => ({ event, command: guardedHookCommand(dataDir, agent, event, platform), timeout }))
  const isOurs = (command: string): boolean => isOwnHookCommand(dataDir, agent, command, platform)
  const isOutdated = (command: string): boolean =>
    isOurs(command) && !entries.some((entry) => entry.command === command)
  const without = (text: string, isRemoved: (command: string) => boolean): string =>
    listEntries(text).some(({ command }) => isRemoved(command)) ? removeEntries(text, isRemoved) : text
  return {
    file,
    mode: 0o600,
    connect: (text) => addEntries(without(text ?? '', isOutdated), entries),
    disconnect: (text) => (text === null ? null : without(text, isOurs)),
    expected: entries.length,
    countFound: (text) => {
      const present = listEntries(text ?? '')
      return entries.filter(({ event, command }) =>
        present.some((entry) => entry.event === event && entry.command === command)
      ).length
    },
    command: entries[0]?.command ?? ''
  }
}
