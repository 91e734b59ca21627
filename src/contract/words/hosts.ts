/** The words about hosts: their state, their clocks, and what to do. Pure. */
import type { EngineEvents } from '../api.ts'
import type { HostClock, HostPlace } from '../hosts.ts'
import { pathsText } from './numbers.ts'
import { shellWord } from './shell.ts'
import { clockInText, durationText } from './times.ts'

/** A difference of clocks that is not only the way of an answer, ms. */
const SKEW_MS = 5000

/** The state with its time: `connected`, `out of reach since 14:02`. */
export function hostStateText({ phase, since, outdated }: HostPlace, now: number): string {
  switch (phase) {
    case 'connected':
      return 'connected'
    case 'connecting':
    case 'idle':
      return 'connecting'
    case 'unreachable':
      return `out of reach since ${clockInText(since, now)}`
    case 'needs-update':
      return outdated === 'near' ? 'this computer needs an update' : 'needs an update'
    case 'damaged':
      return 'cannot be read'
  }
}

/** When it was last reached, in a sentence; "" before the first time and while it is connected. */
export function lastReachedText({ phase, lastSeenAt }: HostPlace, now: number): string {
  if (phase === 'connected') return ''
  return lastSeenAt === 0 ? 'never reached' : `last reached ${clockInText(lastSeenAt, now)}`
}

/** Why a control that needs the host is unavailable. */
export function hostAwayReason({ name, phase }: HostPlace): string {
  if (phase === 'connecting' || phase === 'idle') return `connecting to ${name}`
  return phase === 'needs-update' ? `${name} needs an update` : `${name} is out of reach`
}

/** What the window of one of its folders says while it is not connected. */
export function hostAwayText(place: HostPlace, now: number) {
  const { name, phase, reason } = place
  const isConnecting = phase === 'connecting' || phase === 'idle'
  return {
    lead: isConnecting
      ? `Connecting to ${name}`
      : `${name} ${phase === 'needs-update' ? 'needs an update' : 'is out of reach'}`,
    rest: isConnecting ? '.' : ` since ${clockInText(place.since, now)}. Restore and undo are unavailable.`,
    detail:
      `You see what was last loaded, at ${clockInText(place.lastSeenAt, now)}. Recording continues there. ${reason}`.trim()
  }
}

/** `UTC+2`, `UTC-3:30`. */
export function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** How the clock of a host differs from this one; "" if it does not. `offset`: of this computer, minutes east of UTC. */
export function clockText(there: HostClock | null, offset: number): string {
  if (there === null) return ''
  const { utcOffset, ahead } = there
  const zone = utcOffset === offset ? '' : `time zone ${offsetText(utcOffset)}`
  const skew =
    Math.abs(ahead) < SKEW_MS ? '' : `clock ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`
  return [zone, skew].filter(Boolean).join(', ')
}

/** A time of that host by the clock of this computer, ms UTC. */
export function timeHere(at: number, there: HostClock | null): number {
  return there === null || Math.abs(there.ahead) < SKEW_MS ? at : at - there.ahead
}

/** What a person types into a terminal of this computer, where the command of the host can ask its questions. */
export function terminalCommand({ name, command }: Pick<HostPlace, 'name' | 'command'>): string {
  return ['driftline', 'hosts', 'add', name, '--', ...command].map(shellWord).join(' ')
}

/** How a restore ended whose connection was lost. */
export function hostRestoredText({ host, state, files }: EngineEvents['host.restored']): string {
  if (state === 'not-begun')
    return `The restore on ${host} had not begun when the connection was lost. Nothing was written there.`
  const outcome = state === 'done' ? 'was completed' : `ended as ${state}`
  return `The restore on ${host} ${outcome}: ${pathsText({ files, folders: 0 })}.`
}
