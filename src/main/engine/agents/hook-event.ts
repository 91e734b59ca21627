/** What a hook hands over, before anybody has understood it. */
import type { ProcessId } from '../ports/processes.ts'

/** One call of `driftline hook`. */
export interface HookEvent {
  /** Unique per event: one that comes again changes nothing. */
  readonly id: string
  readonly agent: string
  readonly event: string
  /** When the hook was called, ms UTC. */
  readonly at: number
  readonly payload: unknown
  /** The agent's project folder, when it says so apart from the payload. */
  readonly project?: string
  /** The run of `driftline run` the agent was started in. */
  readonly run?: string
  /** Where this agent keeps its own files, when not in the usual place. */
  readonly home?: string
  readonly process: ProcessId
}
