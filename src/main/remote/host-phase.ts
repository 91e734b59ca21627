/** The phase of the connection to a host, with what belongs to it: since when, and why. */
import type { HostPhase, HostPlace } from '../../contract/hosts.ts'

type PhaseFacts = Pick<HostPlace, 'since' | 'reason' | 'outdated' | 'clock'>

/** `changed`: called after each change. */
export function createHostPhase(changed: () => void) {
  let name: HostPhase = 'idle'
  let facts: PhaseFacts = { since: Date.now(), reason: '', outdated: null, clock: null }
  return {
    name: (): HostPhase => name,
    state: () => ({ phase: name, ...facts }),
    /** `clock` stays until another is known. */
    enter(next: HostPhase, more: Partial<PhaseFacts> = {}): void {
      const since = next === name ? facts.since : Date.now()
      name = next
      facts = { ...facts, since, reason: '', outdated: null, ...more }
      changed()
    }
  }
}
