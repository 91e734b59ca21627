/** What a workspace needs of retention. */
import type { RetentionLimits } from '../retention/limits.ts'
import type { createMaintenance } from '../retention/maintenance.ts'
import type { sweep as sweepStore } from '../retention/sweep.ts'
import type { measure } from '../retention/usage.ts'

/** Keeping the history within its bounds; handed in, so that a hook need not load it. */
export interface Retention {
  /** As set now. */
  limits(): RetentionLimits
  readonly sweep: typeof sweepStore
  readonly measure: typeof measure
  readonly createMaintenance: typeof createMaintenance
}
