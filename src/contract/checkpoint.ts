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
  | 'run_stopped'

export type CheckpointStatus = 'available' | 'restored' | 'pruned' | 'broken'

/**
 * Why a checkpoint is not available. `restored`: this restore went back to an earlier point. `pruned`: content of it was
 * removed to save space. `broken`: the stored content of this path is damaged.
 */
export type CheckpointCause =
  | { readonly code: 'restored'; readonly restore: string }
  | { readonly code: 'pruned' }
  | { readonly code: 'broken'; readonly path: string }

export interface Checkpoint {
  readonly id: string
  readonly reason: CheckpointReason
  readonly seq: Seq
  readonly status: CheckpointStatus
  /** All content it needs is stored and undamaged. */
  readonly restorable: boolean
  /** Null while it is available. */
  readonly cause: CheckpointCause | null
  readonly run: string | null
  readonly session: string | null
  readonly turn: string | null
  /** Of a pin: its name. `plan_mode`: entered or left. `pre_run_drift`, `run_stopped`: the number of files. Others: "". */
  readonly label: string
  /** Milliseconds UTC. */
  readonly at: number
  /** Paths changed since the previous checkpoint of the workspace. */
  readonly files: number
  /** `SessionDetail.revision` of its session at that time; null without a session. */
  readonly revision: number | null
}
