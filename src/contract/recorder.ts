/** The recorder: what kind of process it is, and how it ended. */
import type { HostKind, StopReason } from './api.ts'

export type RecorderKind = Exclude<HostKind, 'cli'>

/**
 * `stopped`: a person or the system asked. `replaced`: by a newer version. `taken-over`: by the app. `idle`: no client
 * for a while. `closed`: the app was closed. `gone`: its data folder was deleted. `failed`: it could not continue.
 * `unexpected`: it crashed or was killed.
 */
export type EndReason = StopReason | 'idle' | 'closed' | 'gone' | 'failed' | 'unexpected'

export interface RecorderEnd {
  /** Milliseconds UTC; of an unexpected end, when the next recorder found it. */
  readonly at: number
  readonly why: EndReason
}
