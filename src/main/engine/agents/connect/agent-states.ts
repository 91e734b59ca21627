/** The state of each agent: installed, connected, sending events, and what is wrong. */
import { statSync } from 'node:fs'
import type { AgentState } from '../../../../contract/agents.ts'
import { errorCode, isUnreadable } from '../../files/fs-errors.ts'
import { AGENTS, type AgentId } from '../agent-action.ts'
import { type CodexTrust, readCodexTrust, untrustedHooksMessage } from './codex-trust.ts'
import { MCP_REGISTRATIONS } from './mcp-registrations.ts'
import { findManagedReason } from './policy.ts'
import { detectPresence, lastActivityAt } from './presence.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { readTextIfExists, SettingsSyntaxError } from './settings-file.ts'

/**
 * An agent whose own records are this much newer than its last event is silent, ms. The margin covers the records it
 * writes after its last event of a session.
 */
const SILENCE_MARGIN_MS = 120_000

/** Reported for a connection that is in order but unused. */
export const NO_EVENTS_YET =
  'Connected, but no events yet. Start the agent in a recorded folder. If this message stays, its hooks are disabled.'

const NO_TRUSTED_HOOKS = 'Connected, but no events yet. Codex runs only trusted hooks: open Codex and type /hooks.'

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
  const { entries, unreadable, problems } = inspectFiles(files)
  const connected = entries.found === 0 ? 'no' : entries.found === entries.wanted ? 'yes' : 'partly'
  if (connected === 'partly')
    problems.push(
      `${entries.found} of ${entries.wanted} hooks are present. Run \`driftline connect ${id}\` to add the rest.`
    )
  const managed = findManagedReason(
    id,
    places,
    files.map((managedFile) => managedFile.file)
  )
  if (managed) problems.push(managed)
  const silent = connected === 'yes' && isSilent(id, places, file, lastEventAt)
  if (silent)
    problems.push('The agent has worked since its last event. Restart it. If this message stays, its hooks do not run.')
  const trust =
    id === 'codex' && connected !== 'no' ? (reported ?? readCodexTrust(registration.folder(places), file)) : null
  // Hooks that sent events are trusted, whatever the settings say, unless Codex itself reports otherwise.
  const untrusted = trust !== null && trust.trusted < entries.found && (lastEventAt === null || reported !== null)
  if (trust && trust.off > 0)
    problems.push(`${trust.off} of its hooks are disabled in Codex. Open Codex and type /hooks.`)
  if (untrusted)
    problems.push(
      trust.trusted === 0 && lastEventAt === null ? NO_TRUSTED_HOOKS : untrustedHooksMessage(trust, entries.found)
    )
  else if (connected === 'yes' && lastEventAt === null) problems.push(NO_EVENTS_YET)
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
function inspectFiles(
  files: readonly ManagedFile[]
): Pick<AgentState, 'entries' | 'unreadable'> & { problems: string[] } {
  const problems: string[] = []
  let found = 0
  let wanted = 0
  let unreadable: AgentState['unreadable'] = null
  for (const managed of files) {
    wanted += managed.expected
    const inspected = inspectFile(managed)
    if ('message' in inspected) {
      unreadable ??= inspected
      problems.push(`${managed.file} could not be parsed (line ${inspected.line}: ${inspected.message}).`)
      continue
    }
    found += inspected.found
    if (inspected.disabled) problems.push(`${managed.file} disables all hooks (disableAllHooks).`)
  }
  return { entries: { found, wanted }, unreadable, problems }
}

function toolsState(id: AgentId, places: Places): AgentState['tools'] {
  const managed = MCP_REGISTRATIONS[id]?.file(places)
  if (!managed) return null
  const inspected = inspectFile(managed)
  return { on: 'found' in inspected && inspected.found > 0, file: managed.file }
}

function inspectFile(
  managed: ManagedFile
): { readonly found: number; readonly disabled: boolean } | NonNullable<AgentState['unreadable']> {
  const { file } = managed
  try {
    const text = readTextIfExists(file)
    return { found: managed.countFound(text), disabled: /"disableAllHooks"\s*:\s*true/.test(text ?? '') }
  } catch (error) {
    if (error instanceof SettingsSyntaxError) return { file, line: error.line, message: error.message }
    if (error instanceof TypeError) return { file, line: 1, message: error.message }
    // EISDIR: there is a folder at the file's path.
    if (isUnreadable(error) || errorCode(error) === 'EISDIR')
      return { file, line: 1, message: `cannot be read, ${errorCode(error)}` }
    throw error
  }
}

/** Whether the agent's own records are newer than both its last event and our entries in its settings. */
function isSilent(id: AgentId, places: Places, file: string, lastEventAt: number | null): boolean {
  const records = REGISTRATIONS[id].records(places)
  if (records === null) return false
  const since = Math.max(lastEventAt ?? 0, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return lastActivityAt(records) > since + SILENCE_MARGIN_MS
}
