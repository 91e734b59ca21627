/** Status line of an agent: a short coloured lead and details. Pure. */
import type { AgentState, ManagedSettings } from '../agents.ts'
import { plural } from './numbers.ts'
import { shortPath } from './paths.ts'
import { clockInText } from './times.ts'

type AgentStatus = AgentDescription['kind']

/** An agent, and the scope that contains Driftline's entries; null if none does. */
interface AgentSummary {
  readonly state: AgentState
  readonly connectedIn: 'user' | 'project' | null
}

export interface AgentDescription {
  readonly kind: 'connected' | 'silent' | 'untrusted' | 'partly' | 'found' | 'absent' | 'managed' | 'unreadable'
  readonly tone: 'ok' | 'warn' | 'danger' | ''
  /** First part, in the colour of `tone`. */
  readonly lead: string
  /** Further parts, separated by dots. */
  readonly details: readonly string[]
}

export function agentStatus({ state }: Pick<AgentSummary, 'state'>): AgentStatus {
  if (state.unreadable) return 'unreadable'
  if (state.managed) return 'managed'
  if (state.silent) return 'silent'
  if (state.connected === 'partly') return 'partly'
  if (state.connected === 'yes') return state.trusted === false ? 'untrusted' : 'connected'
  return state.found ? 'found' : 'absent'
}

/** A part of the status line. */
function managedText({ code, file }: ManagedSettings): string {
  return code === 'policy' ? `${file} allows only your organisation’s hooks` : `no permission to write ${file}`
}

export function describeAgent(view: AgentSummary, home: string, now: number): AgentDescription {
  const { state } = view
  const kind = agentStatus(view)
  const file = shortPath(state.file, home)
  const scopeNote = view.connectedIn === 'project' ? 'this project only' : ''
  const lastEvent = state.lastEventAt === null ? 'no events yet' : `last event ${clockInText(state.lastEventAt, now)}`
  const entries = `${plural(state.entries.found, 'entry', 'entries')} in ${file}`
  const version = state.version ? `version ${state.version}` : ''
  const describe = (tone: AgentDescription['tone'], lead: string, ...more: string[]): AgentDescription => ({
    kind,
    tone,
    lead,
    details: more.filter(Boolean)
  })
  switch (kind) {
    case 'connected':
      return describe('ok', 'Connected', scopeNote, lastEvent, entries)
    case 'untrusted':
      return describe('warn', 'Connected, not trusted yet', 'runs Driftline’s hooks once you trust them')
    case 'silent':
      return describe('warn', 'Connected, but not reporting.', 'It ran without sending events. Restart it.')
    case 'partly':
      return describe(
        'warn',
        'Partly connected',
        `${state.entries.found} of ${state.entries.wanted} entries in ${file}`
      )
    case 'found':
      return describe('', 'Found on this computer', version, 'not connected')
    case 'absent':
      return describe('', 'Not found on this computer')
    case 'managed':
      return describe('', 'Managed by policy', state.managed ? managedText(state.managed) : '')
    case 'unreadable':
      return describe(
        'danger',
        'Couldn’t read the settings.',
        state.unreadable
          ? `${shortPath(state.unreadable.file, home)}, line ${state.unreadable.line}: ${state.unreadable.message}`
          : ''
      )
  }
}
