/**
 * The wire format of one hook event: what `driftline hook` sends to the recorder or writes to the spool. Not
 * validated beyond its shape; the payload is the agent's own.
 */
import type { ProcessId } from '../ports/processes.ts'
import { asFields, asText } from './payload.ts'

/** One call of `driftline hook`. */
export interface HookEvent {
  /** Unique per event; a repeated id is ignored. */
  readonly id: string
  readonly agent: string
  readonly event: string
  /** When the hook was called, ms UTC. */
  readonly at: number
  readonly payload: unknown
  /** The agent's project folder, for agents that pass it outside the payload (environment). */
  readonly project?: string
  /** Id of the `driftline run` the agent was started in. */
  readonly run?: string
  /** The agent's own folder, when it is not the default one. */
  readonly home?: string
  readonly process: ProcessId
}

const KEY = 'driftline_test'

/**
 * The event that "Test connection" sends through an agent's registered command. It proves that events arrive, and
 * belongs to no session.
 */
export function createTestEvent(nonce: string): string {
  return JSON.stringify({ [KEY]: nonce })
}

/** The nonce of a test event; null for an agent's own event. */
export function readTestNonce(payload: unknown): string | null {
  const nonce = asText(asFields(payload)[KEY])
  return nonce !== null && /^[\w-]{1,64}$/.test(nonce) ? nonce : null
}
