/**
 * Where each agent keeps its hooks, which events we register for, and how our entries are added to and removed from
 * that file.
 */
import { join } from 'node:path'
import type { AgentId } from '../agent-action.ts'
import { addEntries, listEntries, removeEntries } from './hook-entries.ts'
import { guardedHookCommand, isOwnHookCommand, launcherFile, quoteShell } from './launcher.ts'
import { pluginText } from './opencode-plugin.ts'

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
   * Adds our entries. Throws SettingsSyntaxError or TypeError when the file cannot be parsed, ForeignFile when it is not
   * ours.
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
}

export interface Registration {
  /** The agent's folder; it exists when the agent is installed. */
  readonly folder: (places: Places) => string
  /** Name of its program. */
  readonly program: string
  /** Shown to the user after connecting; "" for nothing. */
  readonly note: string
  /** The folder of the agent's own session records (JSON files); null when it keeps none. */
  readonly records: (places: Places) => string | null
  readonly files: (places: Places) => readonly ManagedFile[]
}

const CLAUDE_EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop StopFailure SubagentStop PreCompact SessionEnd'
const CODEX_EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse Stop Interrupt SubagentStop PreCompact SessionEnd'
const GEMINI_EVENTS = 'SessionStart BeforeAgent BeforeTool AfterTool AfterAgent SessionEnd'
const QWEN_EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop StopFailure SubagentStop PreCompact SessionEnd'
const CLINE_EVENTS =
  'TaskStart TaskResume UserPromptSubmit PreToolUse PostToolUse TaskComplete TaskCancel SessionShutdown'

export const REGISTRATIONS: Readonly<Record<AgentId, Registration>> = {
  'claude-code': {
    folder: ({ home, env, agentHome }) => agentHome || env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    program: 'claude',
    note: '',
    records: (places) => join(REGISTRATIONS['claude-code'].folder(places), 'projects'),
    files: (places) => [
      settingsFile(
        places,
        'claude-code',
        join(
          places.project ? join(places.project, '.claude') : REGISTRATIONS['claude-code'].folder(places),
          'settings.json'
        ),
        CLAUDE_EVENTS,
        5
      )
    ]
  },
  codex: {
    folder: ({ home, env, agentHome }) => agentHome || env.CODEX_HOME || join(home, '.codex'),
    program: 'codex',
    note: 'Codex runs only trusted hooks: open Codex, type /hooks, and trust the Driftline entries. Until then, it sends no events.',
    records: (places) => join(REGISTRATIONS.codex.folder(places), 'sessions'),
    files: (places) => [
      settingsFile(
        places,
        'codex',
        join(places.project ? join(places.project, '.codex') : REGISTRATIONS.codex.folder(places), 'hooks.json'),
        CODEX_EVENTS,
        5
      )
    ]
  },
  'gemini-cli': {
    folder: ({ home }) => join(home, '.gemini'),
    program: 'gemini',
    note: '',
    records: (places) => join(REGISTRATIONS['gemini-cli'].folder(places), 'tmp'),
    files: (places) => [
      settingsFile(
        places,
        'gemini-cli',
        join(places.project ?? places.home, '.gemini', 'settings.json'),
        GEMINI_EVENTS,
        5000
      )
    ]
  },
  'qwen-code': {
    folder: ({ home }) => join(home, '.qwen'),
    program: 'qwen',
    note: '',
    records: (places) => join(REGISTRATIONS['qwen-code'].folder(places), 'projects'),
    files: (places) => [
      settingsFile(places, 'qwen-code', join(places.project ?? places.home, '.qwen', 'settings.json'), QWEN_EVENTS, 5)
    ]
  },
  cline: {
    folder: ({ home }) => join(home, '.cline'),
    program: 'cline',
    note: '',
    records: (places) => join(REGISTRATIONS.cline.folder(places), 'data'),
    files: (places) =>
      CLINE_EVENTS.split(' ').map((event) => {
        const file = places.project
          ? join(places.project, '.clinerules', 'hooks', event)
          : join(places.home, '.cline', 'hooks', event)
        const text = `#!/bin/sh\n# ${MARK}\n${guardedHookCommand(places.dataDir, 'cline', event).replace('; exit 0', '\nexit 0')}\n`
        return { ...wholeFile(file, text, quoteShell(file)), mode: 0o755 }
      })
  },
  opencode: {
    folder: ({ home, env }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
    program: 'opencode',
    note: 'On its next start, opencode downloads its plugin package once. Offline, each start takes about a minute until the download succeeds.',
    records: () => null,
    files: (places) => [
      wholeFile(
        join(
          places.project ? join(places.project, '.opencode') : REGISTRATIONS.opencode.folder(places),
          'plugin',
          'driftline.js'
        ),
        pluginText(MARK, launcherFile(places.dataDir)),
        guardedHookCommand(places.dataDir, 'opencode', 'event')
      )
    ]
  }
}

/** The mark in files that are entirely ours. Never change it: installed files are recognised by it. */
const MARK = 'Written by Driftline (driftline connect); removed by driftline disconnect.'

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

function settingsFile(places: Places, agent: AgentId, file: string, events: string, timeout: number): ManagedFile {
  const { dataDir } = places
  const entries = events
    .split(' ')
    .map((event) => ({ event, command: guardedHookCommand(dataDir, agent, event), timeout }))
  return {
    file,
    mode: 0o600,
    connect: (text) => addEntries(text ?? '', entries),
    disconnect: (text) =>
      text === null ? null : removeEntries(text, (command) => isOwnHookCommand(dataDir, agent, command)),
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
