/** The state of each agent: installed, connected, sending events, and what is wrong. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentProblem, AgentState, ManagedSettings } from '../../../../contract/agents.ts'
import { errorCode, ifReadable, isNotFound, isUnreadable } from '../../files/fs-errors.ts'
import { AGENTS, type AgentId } from '../agent-action.ts'
import { type CodexTrust, readCodexTrust } from './codex-trust.ts'
import { MCP_REGISTRATIONS } from './mcp-registrations.ts'
import { detectPresence, lastActivityAt } from './presence.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { readTextIfExists, SettingsSyntaxError } from './settings-file.ts'

/**
 * An agent whose own records are this much newer than its last event is silent, ms. The margin covers the records it
 * writes after its last event of a session.
 */
const SILENCE_MARGIN_MS = 120_000

/**
 * `lastEvents`: time of each agent's last event, ms UTC. `reported`: what Codex itself reported about trust; null
 * when it was not queried.
 */
export function listAgentStates(
  places: Places,
  lastEvents: Readonly<Record<string, number>>,
  reported: CodexTrust | null = null
): AgentState[] {
  return AGENTS.map((id) => stateOf(id, places, lastEvents[id] ?? null, id === 'codex' ? reported : null))
}

function stateOf(id: AgentId, places: Places, lastEventAt: number | null, reported: CodexTrust | null): AgentState {
  const registration = REGISTRATIONS[id]
  const files = registration.files(places)
  const file = files[0]?.file ?? ''
  const { entries, hasOutdated, unreadable, problems } = inspectFiles(files)
  const connected = entries.found === entries.wanted ? 'yes' : entries.found > 0 || hasOutdated ? 'partly' : 'no'
  if (hasOutdated) problems.push({ code: 'outdated' })
  else if (connected === 'partly') problems.push({ code: 'incomplete', ...entries })
  const managed = findManagedSettings(id, places, files)
  if (managed) problems.push(managed)
  const silent = connected === 'yes' && isSilent(id, places, file, lastEventAt)
  if (silent) problems.push({ code: 'silent' })
  const trust =
    id === 'codex' && connected !== 'no' ? (reported ?? readCodexTrust(registration.folder(places), file)) : null
  // Hooks that sent events are trusted, whatever the settings say, unless Codex itself reports otherwise.
  const untrusted = trust !== null && trust.trusted < entries.found && (lastEventAt === null || reported !== null)
  if (trust && trust.off > 0) problems.push({ code: 'turned-off', hooks: trust.off })
  if (untrusted)
    problems.push(
      trust.trusted === 0 && lastEventAt === null
        ? { code: 'no-trusted-hooks' }
        : { code: 'untrusted', trusted: trust.trusted, hooks: entries.found }
    )
  else if (connected === 'yes' && lastEventAt === null) problems.push({ code: 'no-events' })
  return {
    id,
    ...detectPresence(registration, places),
    connected,
    trusted: id !== 'codex' || connected === 'no' ? null : !untrusted && (lastEventAt !== null || trust !== null),
    lastEventAt,
    file,
    entries,
    unreadable,
    managed,
    silent,
    tools: toolsState(id, places),
    problems
  }
}

/** Counts our entries in all files of an agent. `unreadable`: the first file that cannot be parsed. */
function inspectFiles(files: readonly ManagedFile[]) {
  const problems: AgentProblem[] = []
  const entries = { found: 0, wanted: 0 }
  let unreadable: AgentState['unreadable'] = null
  let hasOutdated = false
  for (const { file, expected, countFound, disconnect } of files) {
    entries.wanted += expected
    try {
      const text = readTextIfExists(file)
      const found = countFound(text)
      entries.found += found
      hasOutdated ||= found === 0 && disconnect(text) !== text
      if (/"disableAllHooks"\s*:\s*true/.test(text ?? '')) problems.push({ code: 'all-off', file })
    } catch (error) {
      const { line, message } = explainUnreadable(error)
      unreadable ??= { file, line, message }
      problems.push({ code: 'unreadable', file, line, message })
    }
  }
  return { entries, hasOutdated, unreadable, problems }
}

function explainUnreadable(error: unknown): { readonly line: number; readonly message: string } {
  if (error instanceof SettingsSyntaxError) return error
  if (error instanceof TypeError) return { line: 1, message: error.message }
  // EISDIR: there is a folder at the file's path.
  if (isUnreadable(error) || errorCode(error) === 'EISDIR')
    return { line: 1, message: `cannot be read, ${errorCode(error)}` }
  throw error
}

function toolsState(id: AgentId, places: Places): AgentState['tools'] {
  const managed = MCP_REGISTRATIONS[id]?.file(places)
  return managed ? { on: inspectFiles([managed]).entries.found > 0, file: managed.file } : null
}

/** Whether the agent's own records are newer than both its last event and our entries in its settings. */
function isSilent(id: AgentId, places: Places, file: string, lastEventAt: number | null): boolean {
  const records = REGISTRATIONS[id].records(places)
  if (records === null) return false
  const since = Math.max(lastEventAt ?? 0, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return lastActivityAt(records) > since + SILENCE_MARGIN_MS
}

/** Settings of an organisation, which override the user's. */
interface Policy {
  /** Path below the file system's root, by platform. Other platforms keep policies elsewhere than in a file. */
  readonly files: Partial<Record<NodeJS.Platform, string>>
  /** Matches a policy that disables the user's own hooks. */
  readonly forbids: RegExp
}

const POLICIES: Partial<Record<AgentId, Policy>> = {
  'claude-code': {
    files: {
      linux: 'etc/claude-code/managed-settings.json',
      darwin: 'Library/Application Support/ClaudeCode/managed-settings.json'
    },
    forbids: /"(allowManagedHooksOnly|disableAllHooks)"\s*:\s*true/
  },
  codex: {
    files: { linux: 'etc/codex/requirements.toml', darwin: 'etc/codex/requirements.toml' },
    forbids: /^\s*allow_managed_hooks_only\s*=\s*true/m
  },
  'gemini-cli': {
    files: {
      linux: 'etc/gemini-cli/settings.json',
      darwin: 'Library/Application Support/GeminiCli/settings.json'
    },
    forbids: /"hooksConfig"\s*:\s*\{[^}]*"enabled"\s*:\s*false/
  },
  'qwen-code': {
    files: { linux: 'etc/qwen-code/settings.json', darwin: 'Library/Application Support/QwenCode/settings.json' },
    forbids: /"disableAllHooks"\s*:\s*true/
  }
}

/** Why our entries cannot be written or would not run; null when nothing overrides the user. */
function findManagedSettings(agent: AgentId, places: Places, files: readonly ManagedFile[]): ManagedSettings | null {
  const policy = POLICIES[agent]
  const name = policy?.files[process.platform]
  if (policy && name) {
    const file = join(places.system ?? '/', name)
    // Nothing is known about a policy that cannot be read.
    const text = ifReadable(() => readFileSync(file, 'utf8'))
    if (text && policy.forbids.test(text)) return { code: 'policy', file }
  }
  const locked = files.find(({ file }) => !canWrite(file))
  return locked ? { code: 'locked', file: locked.file } : null
}

/** Whether the file, or the nearest existing folder above it, is writable. */
function canWrite(file: string): boolean {
  for (let at = file; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK)
      return true
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error))) return false
      if (!isNotFound(error)) throw error
    }
    if (dirname(at) === at) return false
  }
}
