/** Where each agent keeps its hooks, which events we ask for, and how the text of its file becomes one with ours and without. */
import { join } from 'node:path'
import type { AgentId } from '../agent-action.ts'
import { addEntries, listEntries, removeEntries } from './hook-entries.ts'
import { guardedHookCommand, isOwnHookCommand, launcherFile, quoteShell } from './launcher.ts'
import { pluginText } from './opencode-plugin.ts'

/** Text of a file as it would be; null = no file. */
type Text = string | null

export interface ManagedFile {
  readonly file: string
  /** Mode of a file that is new. */
  readonly mode: number
  /** Throws NotJson or TypeError when the file cannot be understood. */
  readonly connect: (text: Text) => Text
  readonly disconnect: (text: Text) => Text
  /** How many of our entries it should have and has. */
  readonly expected: number
  readonly countFound: (text: Text) => number
  /** What an agent runs because of it, for a shell. */
  readonly command: string
}

export interface Places {
  readonly dataDir: string
  /** The person's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The agent's own folder, where that is not the usual one. */
  readonly agentHome?: string
  /** A project's folder, to register there instead of for the person. */
  readonly project?: string
  /** Root of the folders where organisations put policies; another one in tests. */
  readonly system?: string
}

export interface Registration {
  /** Folder whose existence says that the agent is installed. */
  readonly folder: (places: Places) => string
  /** Names of its program. */
  readonly program: string
  /** What a person should know, after connecting. */
  readonly note: string
  /** Folder of JSON files the agent keeps of its own work; null where it keeps none. */
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
    note: 'Codex runs a hook only after you have trusted it: open Codex, type /hooks, and trust the Driftline entries. Until then it stays silent.',
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
    note: 'On its next start opencode fetches its own plugin package once. Without a network each start takes about a minute until it has it.',
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

/** First words of files that are ours from end to end. */
const MARK = 'Written by Driftline (driftline connect); removed by driftline disconnect.'

/** Says that a file is there which is not ours, so it stays. */
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
    disconnect: (text) => (text === null ? null : removeEntries(text, (one) => isOwnHookCommand(dataDir, agent, one))),
    expected: entries.length,
    countFound: (text) => {
      const there = listEntries(text ?? '')
      return entries.filter((entry) => there.some((it) => it.event === entry.event && it.command === entry.command))
        .length
    },
    command: entries[0]?.command ?? ''
  }
}
