/** How an agent stands, in words: one short lead in a colour, and what there is to know. Pure. */
import { clock, dayInText, dayKey, plural, shortPath } from '../../ui/format.ts'
import type { AgentView } from './use-agents.ts'

export type AgentStatus = 'connected' | 'silent' | 'untrusted' | 'partly' | 'found' | 'absent' | 'managed' | 'unreadable'

export interface AgentDescription {
  readonly kind: AgentStatus
  readonly tone: 'ok' | 'warn' | 'danger' | ''
  /** Said first, in the colour of `tone`. */
  readonly lead: string
  /** Said after it, parted by dots. */
  readonly details: readonly string[]
}

export function agentStatus({ state }: AgentView): AgentStatus {
  if (state.unreadable) return 'unreadable'
  if (state.managed) return 'managed'
  if (state.silent) return 'silent'
  if (state.connected === 'partly') return 'partly'
  if (state.connected === 'yes') return state.trusted === false ? 'untrusted' : 'connected'
  return state.found ? 'found' : 'absent'
}

export function describeAgent(view: AgentView, home: string, now: number): AgentDescription {
  const { state } = view
  const kind = agentStatus(view)
  const where = shortPath(state.file, home)
  const place = view.connectedIn === 'project' ? 'this project only' : ''
  const heard = state.lastEventAt === null ? 'no events yet' : `last event ${when(state.lastEventAt, now)}`
  const entries = `${plural(state.entries.found, 'entry', 'entries')} in ${where}`
  const version = state.version ? `version ${state.version}` : ''
  const words = (tone: AgentDescription['tone'], lead: string, ...more: string[]): AgentDescription => ({
    kind,
    tone,
    lead,
    details: more.filter(Boolean)
  })
  switch (kind) {
    case 'connected':
      return words('ok', 'Connected', place, heard, entries)
    case 'untrusted':
      return words('warn', 'Connected, not trusted yet', 'runs Driftline’s hooks once you trust them')
    case 'silent':
      return words('warn', 'Connected, but not reporting.', 'It ran without sending events. Restart it')
    case 'partly':
      return words('warn', 'Partly connected', `${state.entries.found} of ${state.entries.wanted} entries in ${where}`)
    case 'found':
      return words('', 'Found on this computer', version, 'not connected')
    case 'absent':
      return words('', 'Not found on this computer')
    case 'managed':
      return words('', 'Managed by policy', state.managed.replace(/\.$/, ''))
    case 'unreadable':
      return words(
        'danger',
        'Couldn’t read the settings.',
        state.unreadable
          ? `${shortPath(state.unreadable.file, home)}, line ${state.unreadable.line}: ${state.unreadable.message}`
          : ''
      )
  }
}

/** `14:31` today, else the day too. */
function when(at: number, now: number): string {
  return dayKey(at) === dayKey(now) ? clock(at) : `${dayInText(at, now)} ${clock(at)}`
}
