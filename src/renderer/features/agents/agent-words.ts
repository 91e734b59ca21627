/** How an agent stands, in words: one short lead in a colour, and what there is to know. Pure. */
import { clock, dayInText, dayKey, plural, shortPath } from '../../ui/format.ts'
import type { AgentView } from './use-agents.ts'

export type AgentKind = 'connected' | 'silent' | 'untrusted' | 'partly' | 'found' | 'absent' | 'managed' | 'unreadable'

export interface AgentWords {
  readonly kind: AgentKind
  readonly tone: 'ok' | 'warn' | 'danger' | ''
  /** Said first, in the colour of `tone`. */
  readonly lead: string
  /** Said after it, parted by dots. */
  readonly more: readonly string[]
}

export function agentKind({ state }: AgentView): AgentKind {
  if (state.unreadable) return 'unreadable'
  if (state.managed) return 'managed'
  if (state.silent) return 'silent'
  if (state.connected === 'partly') return 'partly'
  if (state.connected === 'yes') return state.trusted === false ? 'untrusted' : 'connected'
  return state.found ? 'found' : 'absent'
}

export function agentWords(view: AgentView, home: string, now: number): AgentWords {
  const { state } = view
  const kind = agentKind(view)
  const where = shortPath(state.file, home)
  const place = view.connectedIn === 'project' ? 'this project only' : ''
  const heard = state.lastEventAt === null ? 'no event yet' : `last event ${when(state.lastEventAt, now)}`
  const entries = `${plural(state.entries.found, 'entry', 'entries')} in ${where}`
  const version = state.version ? `version ${state.version}` : ''
  const words = (tone: AgentWords['tone'], lead: string, ...more: string[]): AgentWords => ({
    kind,
    tone,
    lead,
    more: more.filter(Boolean)
  })
  switch (kind) {
    case 'connected':
      return words('ok', 'Connected', place, heard, entries)
    case 'untrusted':
      return words('warn', 'Connected, not trusted yet', 'it runs our commands once you trust them')
    case 'silent':
      return words('warn', 'Connected but silent.', 'It worked without telling us: restart it')
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
        'Settings cannot be read.',
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
