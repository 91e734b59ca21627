/** A named position of the log. No I/O. */
import type { Seq } from './log.ts'

export type CheckpointReason =
  | 'run_start'
  | 'pre_write'
  | 'end_of_turn'
  | 'compact'
  | 'plan_mode'
  | 'manual'
  | 'pre_restore_guard'
  | 'pre_run_drift'

export type CheckpointStatus = 'available' | 'restored' | 'pruned' | 'broken'

export interface Checkpoint {
  readonly id: string
  readonly reason: CheckpointReason
  readonly seq: Seq
  readonly status: CheckpointStatus
  /** All content it needs is stored and undamaged. */
  readonly restorable: boolean
  /** A sentence if it cannot be restored completely, else "". */
  readonly why: string
  readonly run: string | null
  readonly session: string | null
  readonly turn: string | null
  /** Of a pin, else "". */
  readonly label: string
  /** Milliseconds UTC. */
  readonly at: number
  /** Paths changed since the previous checkpoint of the workspace. */
  readonly files: number
  /** `SessionDetail.revision` of its session at that time; null without a session. */
  readonly revision: number | null
}
