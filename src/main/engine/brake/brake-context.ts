import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'

/** What the brake needs of a recorded folder. */
export interface BrakeContext extends CheckContext {
  readonly workspace: { readonly id: string }
  readonly lock: Lock
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
}
