/**
 * The wire format of one hook event: what `driftline hook` sends to the recorder or writes to the spool. Not
 * validated beyond its shape; the payload is the agent's own.
 */
import type { Signature } from '../files/signature.ts'
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

/** A file that a spooled event names, as the hook found it. */
export interface FileImage {
  /** Absolute. */
  readonly path: string
  /** Its lstat at that moment; null: there was none. */
  readonly signature: Signature | null
  /** Name of its copy in the spool, a link for a link. Null: there was none. */
  readonly file: string | null
}

/** An event as it is in the spool. Absent images: written by an earlier version. */
export interface SpooledEvent extends HookEvent {
  readonly images?: readonly FileImage[]
  /** Size of the session's transcript, bytes. */
  readonly transcriptEnd?: number | undefined
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
