/** What beginning and ending runs needs of a recorded folder. */
import type { DiskSpace } from '../files/disk-space.ts'

export interface RunContext {
  readonly root: string
  readonly space: DiskSpace
  /** ms UTC */
  now(): number
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
}
