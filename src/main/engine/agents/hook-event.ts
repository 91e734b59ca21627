/**
 * The wire format of one hook event: what `driftline hook` sends to the recorder or writes to the spool. Not
 * validated beyond its shape; the payload is the agent's own.
 */
import type { ProcessId } from '../ports/processes.ts'

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
