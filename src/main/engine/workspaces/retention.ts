/** What a workspace needs of retention. */
import type { Bounds } from '../retention/bounds.ts'
import type { createKeeper } from '../retention/keeper.ts'
import type { sweep as sweepStore } from '../retention/sweep.ts'
import type { measure } from '../retention/usage.ts'

/** Keeping the history within its bounds; handed in, so that a hook need not load it. */
export interface Retention {
  /** As set now. */
  bounds(): Bounds
  readonly sweep: typeof sweepStore
  readonly measure: typeof measure
  readonly createKeeper: typeof createKeeper
}
