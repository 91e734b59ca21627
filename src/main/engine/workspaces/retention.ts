import type { RetentionLimits } from '../retention/limits.ts'
import type { createMaintenance } from '../retention/maintenance.ts'
import type { sweep as sweepStore } from '../retention/sweep.ts'
import type { measure } from '../retention/usage.ts'

/** The parts of retention that an open workspace uses. Injected, so that a hook does not load them. */
export interface Retention {
  /** The bounds as set now. */
  limits(): RetentionLimits
  readonly sweep: typeof sweepStore
  readonly measure: typeof measure
  readonly createMaintenance: typeof createMaintenance
}
