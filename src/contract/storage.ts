/** Storage: what the history takes on disk, its limits, and what a sweep removes. No I/O. */
import type { Checkpoint } from './checkpoint.ts'

/** Storage of one workspace, in bytes. */
export interface StorageUse {
  /** Size of its files on disk, log and conversations included. */
  readonly bytes: number
  /** All stored contents unpacked, each counted once. */
  readonly uniqueBytes: number
  /** Stored contents of the files as they are now. Not counted in the budget. */
  readonly headBytes: number
  /** Stored contents of earlier versions, and conversations: what the budget limits. */
  readonly historyBytes: number
  /** The part of it that conversations take: it is freed by deleting them, not by a sweep. */
  readonly conversationBytes: number
  readonly budget: number
}

/** The disk that holds the history. `low`: recording pauses until there is enough free space. */
export interface StorageDisk {
  readonly free: number
  readonly low: boolean
}

export interface Storage extends StorageUse {
  /** Checkpoints stay restorable for at least this many days; 0 = no limit by age. */
  readonly days: number
  /** True where the folder has its own setting instead of the general one. */
  readonly own: { readonly budget: boolean; readonly days: boolean }
  /** Number of positions that can be restored completely, and the time of the oldest; null if there is none. */
  readonly positions: number
  readonly oldestAt: number | null
  readonly disk: StorageDisk
  /** Folder of the history. */
  readonly folder: string
}

/**
 * Why the file of the history is made smaller later: another process reads or writes it, a run is live, or the disk has
 * too little room. `erases`: deleted bytes leave the file only then.
 */
export interface Postponed {
  readonly code: 'postponed'
  readonly why: 'readers' | 'writer' | 'live-run' | 'no-room'
  readonly erases: boolean
}

/** `copying`: the initial snapshot is not complete; `running`: another sweep is. Both: nothing was deleted. */
export type SweepNote =
  | { readonly code: 'copying' | 'running' }
  | { readonly code: 'over-budget'; readonly bytes: number; readonly days: number }
  | Postponed

/**
 * `older`: versions of a file; `excluded`: all stored ones of an excluded file. `more-files`: not listed.
 * `unreferenced`: no version has this content. `incomplete`: its file was never read to the end.
 */
export type PrunedContent =
  | { readonly code: 'older' | 'excluded'; readonly path: string; readonly versions: number }
  | { readonly code: 'more-files' | 'unreferenced' | 'incomplete'; readonly count: number }

/** What a sweep removed, or with `dryRun` would remove. */
export interface SweepResult {
  readonly freedBytes: number
  /** Files, largest first, then other content. */
  readonly pruned: readonly PrunedContent[]
  /** Number of older versions of files. */
  readonly versions: number
  /** Checkpoints that can no longer be restored completely. */
  readonly checkpoints: readonly Pick<Checkpoint, 'id' | 'reason' | 'label' | 'at' | 'run' | 'session'>[]
  /** After the sweep. */
  readonly historyBytes: number
  readonly budget: number
  /** Why nothing was done, it still exceeds the budget, or part of it happens later; null if none of these. */
  readonly note: SweepNote | null
}

/** How the last automatic backup ended. */
export interface BackupOutcome {
  readonly repository: string
  /** When it ended, ms UTC. */
  readonly at: number
  readonly ok: boolean
  /** What the command printed; of a failure, the end of its errors. */
  readonly message: string
}

/** Automatic backups, where the settings name a repository. */
export interface BackupState {
  readonly repository: string
  /** When the one that is running began, ms UTC; null if none is. */
  readonly startedAt: number | null
  /** null before the first one to this repository. */
  readonly last: BackupOutcome | null
}

/** Copies of all histories and of the list of folders, in the layout of a data folder. */
export interface CopiedHistories {
  /** Absolute, inside the data folder. */
  readonly folder: string
  readonly histories: number
  readonly bytes: number
}
