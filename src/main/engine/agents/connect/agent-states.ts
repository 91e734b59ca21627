/** How every agent stands: here or not, connected or not, heard of or silent, and what is wrong. */
import { statSync } from 'node:fs'
import type { AgentState } from '../../../../contract/agents.ts'
import { errorCode, isUnreadable } from '../../ports/fs-errors.ts'
import { AGENTS, type AgentId } from '../agent-action.ts'
import { type CodexTrust, readCodexTrust, untrustedHooksMessage } from './codex-trust.ts'
import { JsonSyntaxError, lineNumberAt } from './json-spans.ts'
import { readTextIfExists } from './launcher.ts'
import { MCP_REGISTRATIONS } from './mcp-registrations.ts'
import { findManagedReason } from './policy.ts'
import { detectPresence, lastActivityAt } from './presence.ts'
import { type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'

/** What an agent writes this long after it was last heard of, ms, it wrote without telling; its last words of a session come a little later. */
const SILENCE_MARGIN_MS = 120_000

/** Said of what is in order and only waits to be used. */
export const NO_EVENTS_YET =
  'Connected, but nothing was heard yet. Start it in a recorded folder; if this stays, its hooks are switched off.'

/** `heard`: when each was last heard of, ms UTC. `asked`: what Codex itself said of its trust, where it was asked. */
export function listAgentStates(
  places: Places,
  heard: Readonly<Record<string, number>>,
  asked: CodexTrust | null = null
): AgentState[] {
  return AGENTS.map((id) => stateOf(id, places, heard[id] ?? null, id === 'codex' ? asked : null))
}

function stateOf(id: AgentId, places: Places, lastEventAt: number | null, asked: CodexTrust | null): AgentState {
  const registration = REGISTRATIONS[id]
  const files = registration.files(places)
  const problems: string[] = []
  const entries = { found: 0, wanted: 0 }
  let unreadable: AgentState['unreadable'] = null
  for (const managed of files) {
    entries.wanted += managed.expected
    const looked = inspectFile(managed)
    if ('message' in looked) {
      unreadable ??= looked
      problems.push(`${managed.file} could not be understood (line ${looked.line}: ${looked.message}).`)
      continue
    }
    entries.found += looked.found
    if (looked.switchedOff) problems.push(`${managed.file} switches all hooks off (disableAllHooks).`)
  }
  const connected = entries.found === 0 ? 'no' : entries.found === entries.wanted ? 'yes' : 'partly'
  if (connected === 'partly')
    problems.push(`${entries.found} of ${entries.wanted} hooks are there; \`driftline connect ${id}\` adds the others.`)
  const managed = findManagedReason(
    id,
    places,
    files.map(({ file }) => file)
  )
  if (managed) problems.push(managed)
  const silent = connected === 'yes' && isSilent(id, places, files[0]?.file ?? '', lastEventAt)
  if (silent)
    problems.push('It has worked since it was last heard of. Restart it; if this stays, its hooks do not run.')
  const trust =
    id === 'codex' && connected !== 'no'
      ? (asked ?? readCodexTrust(registration.folder(places), files[0]?.file ?? ''))
      : null
  // Hooks that were heard of are trusted, whatever its settings say, unless it says otherwise itself.
  const untrusted = trust !== null && trust.trusted < entries.found && (lastEventAt === null || asked !== null)
  if (trust && trust.off > 0)
    problems.push(`${trust.off} of its hooks are switched off in Codex: open it and type /hooks.`)
  if (untrusted)
    problems.push(
      trust.trusted === 0 && lastEventAt === null
        ? 'Connected, but nothing was heard yet. Codex asks you to trust hooks: open it and type /hooks.'
        : untrustedHooksMessage(trust, entries.found)
    )
  else if (connected === 'yes' && lastEventAt === null) problems.push(NO_EVENTS_YET)
  return {
    id,
    ...detectPresence(registration, places),
    connected,
    trusted: id !== 'codex' || connected === 'no' ? null : !untrusted && (lastEventAt !== null || trust !== null),
    lastEventAt,
    file: files[0]?.file ?? '',
    entries,
    unreadable,
    managed,
    silent,
    tools: toolsState(id, places),
    problems
  }
}

function toolsState(id: AgentId, places: Places): AgentState['tools'] {
  const managed = MCP_REGISTRATIONS[id]?.file(places)
  if (!managed) return null
  const looked = inspectFile(managed)
  return { on: 'found' in looked && looked.found > 0, file: managed.file }
}

function inspectFile(
  managed: ManagedFile
): { readonly found: number; readonly switchedOff: boolean } | NonNullable<AgentState['unreadable']> {
  const { file } = managed
  let text: string | null = null
  try {
    text = readTextIfExists(file)
    return { found: managed.countFound(text), switchedOff: /"disableAllHooks"\s*:\s*true/.test(text ?? '') }
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return { file, line: lineNumberAt(text ?? '', error.at), message: error.message }
    if (error instanceof TypeError) return { file, line: 1, message: error.message }
    // EISDIR: a folder stands where the file belongs.
    if (isUnreadable(error) || errorCode(error) === 'EISDIR')
      return { file, line: 1, message: `it cannot be read, ${errorCode(error)}` }
    throw error
  }
}

/** Its own records are newer than what it told us, and newer than our entries. */
function isSilent(id: AgentId, places: Places, file: string, lastEventAt: number | null): boolean {
  const records = REGISTRATIONS[id].records(places)
  if (records === null) return false
  const since = Math.max(lastEventAt ?? 0, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return lastActivityAt(records) > since + SILENCE_MARGIN_MS
}
