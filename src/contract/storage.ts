/** What the history takes on disk, what bounds it, and what was let go of. */
import type { Checkpoint } from './checkpoint.ts'

/** What the history of one folder takes, bytes. */
export interface StorageUse {
  /** Its files on disk, log and conversations included. */
  readonly bytes: number
  /** All kept contents as they were, each counted once. */
  readonly uniqueBytes: number
  /** The kept copy of what is in the folder now; the budget does not count it. */
  readonly headBytes: number
  /** Kept contents of earlier states: what the budget bounds. */
  readonly historyBytes: number
  readonly budget: number
}

/** The disk that holds the history. `low`: recording waits until there is room again. */
export interface StorageDisk {
  readonly free: number
  readonly low: boolean
  /** A sentence when it is low, else "". */
  readonly why: string
}

export interface Storage extends StorageUse {
  /** Restore points are promised for so many days; 0 = for as long as they are there. */
  readonly days: number
  /** Which of the two are this folder's own settings. */
  readonly own: { readonly budget: boolean; readonly days: boolean }
  /** Positions whose files are kept whole, and the time of the oldest; null when there is none. */
  readonly positions: number
  readonly oldestAt: number | null
  readonly disk: StorageDisk
  /** Where the history lies. */
  readonly folder: string
}

/** What a sweep let go of, or would. */
export interface Sweep {
  readonly freedBytes: number
  /** For people: one line a file, largest first, and content nobody refers to. */
  readonly pruned: readonly string[]
  /** How many older states of files. */
  readonly versions: number
  /** Restore points that cannot be restored whole any more. */
  readonly checkpoints: readonly Pick<Checkpoint, 'id' | 'reason' | 'label' | 'at' | 'run' | 'session'>[]
  /** Afterwards. */
  readonly historyBytes: number
  readonly budget: number
  /** Why it is still more than the budget, or why nothing was done; else "". */
  readonly note: string
}
