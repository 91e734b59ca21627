/** What beginning and ending runs needs of a recorded folder. */
import type { DiskSpace } from '../files/disk-space.ts'
import type { Store } from '../store/open-store.ts'

export interface RunContext {
  readonly root: string
  readonly store: Store
  readonly space: DiskSpace
  /** ms UTC */
  now(): number
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
}
