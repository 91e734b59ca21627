/** A workspace: its folder, its coverage, and how changes in it are detected. No I/O. */
import type { BundleInfo } from './bundle.ts'
import type { NotStoredReason, Seq } from './log.ts'
import type { BackupState, StorageUse } from './storage.ts'

/** Id of a recorded folder. All ids are opaque strings with a readable prefix (`ws_`, `run_`, `cp_`, `rst_`, `dr_`). */
export type WorkspaceId = string

export interface Workspace {
  readonly id: WorkspaceId
  /** Real absolute path of the folder; of a review of a bundle, the bundle's file. */
  readonly root: string
  readonly name: string
  /** Set for a review of a bundle: it is only read, and nothing is recorded in it. */
  readonly bundle?: BundleInfo
}

/** `repository`: the `.git` of a folder below the recorded one, which is not in the log at all. */
export type ExcludedReason = NotStoredReason | 'repository'

/** A path that is not protected. */
export interface ExcludedPath {
  readonly path: string
  readonly reason: ExcludedReason
  /** Bytes, if known. */
  readonly size?: number
}

/** What is protected. */
export interface CoverageTotals {
  readonly files: number
  readonly bytes: number
}

/** `copying`: the initial snapshot is running. `partial`: it was stopped or failed. */
export type CoverageState = 'copying' | 'complete' | 'partial'

/** Progress of the initial snapshot. */
export interface CopyProgress {
  readonly files: number
  readonly filesTotal: number
  readonly bytes: number
  /** False while names are being listed: the totals still grow. */
  readonly counted: boolean
}

/** Another git worktree of a folder's repository. */
export interface Worktree {
  /** Real absolute path. */
  readonly folder: string
  /** "" if HEAD is detached. */
  readonly branch: string
}

/** A recorded worktree of a folder's repository. */
export interface RecordedWorktree extends Workspace {
  /** The name of its folder in `.git/worktrees`. */
  readonly worktree: string
  /** "" if HEAD was detached. */
  readonly branch: string
  /** ms UTC; null while it is there. */
  readonly removedAt: number | null
  /** Files of a removed one whose contents are in no commit and not in the main folder's history; null if not known. */
  readonly lost: number | null
  /** The target, in its own history, that restores a removed one. */
  readonly target: string
}

/** Whether worktrees of a repository are recorded by themselves. `ask`: a person has not decided yet. */
export type WorktreeMode = 'ask' | 'on' | 'off'

/** Why the recorded folder cannot be reached. `denied`: by macOS, until a person allows it. */
export type MissingReason =
  | { readonly code: 'gone' | 'unmounted' | 'denied' }
  | { readonly code: 'unreachable'; readonly error: string }

/**
 * Why changes are not found as they happen. Of the watcher: `starting`, `too-many` changes at once, `unreported` ones,
 * the folder was `moved`, is on a `remote` disk, a limit of the system is reached, it `failed`, or was `closed`. Of the
 * host: `no-host`, `paused`, `safe-mode`. `disk-full`: recording is paused. `unopened`: the history cannot be read. `bundle`: it is a review.
 */
export type UnwatchedReason =
  | MissingReason
  | {
      readonly code:
        | 'starting'
        | 'too-many'
        | 'unreported'
        | 'moved'
        | 'remote'
        | 'folder-limit'
        | 'watcher-limit'
        | 'closed'
        | 'no-host'
        | 'paused'
        | 'safe-mode'
        | 'disk-full'
        | 'bundle'
    }
  | { readonly code: 'failed'; readonly error: string }
  | { readonly code: 'unopened'; readonly message: string }

/** The part of a workspace's status that the list of all workspaces shows as well. */
export interface WorkspaceState {
  readonly folder: 'present' | 'missing'
  /** The run that deleted the folder itself; null if it is present, or missing for another reason. */
  readonly deletedBy: { readonly run: string; readonly title: string } | null
  /** A host watches the folder. */
  readonly recording: boolean
  readonly watcher: WatcherStatus
  readonly coverage: CoverageState
  readonly copy: CopyProgress | null
  /** When the newest edit was recorded, ms UTC; null before the first. */
  readonly lastEditAt: number | null
}

export interface WatcherStatus {
  readonly state: WatcherState
  /** Null only if the state is `live`. */
  readonly why: UnwatchedReason | null
  /** Null while nothing is watched. */
  readonly handles: WatchHandles | null
}

/** A workspace in the list of all workspaces. */
export interface WorkspaceSummary extends Workspace, WorkspaceState {
  readonly addedAt: number
  /** Set for a linked git worktree: the main worktree of its repository. */
  readonly worktreeOf?: string
  /** Null if its history cannot be read; `watcher.why` then gives the reason. */
  readonly store: StorageUse | null
  /** A run is live. */
  readonly live: boolean
  /** Paths with open drift. */
  readonly openDrift: number
  readonly runsToday: number
  /** When something was last recorded, ms UTC; null if nothing was. */
  readonly lastAt: number | null
}

/**
 * Whether this process watches the recorded folders. `paused`: by a person. `safe-mode`: it crashed repeatedly. `off`:
 * it is no host.
 */
export type WatchMode = 'on' | 'paused' | 'safe-mode' | 'off'

/**
 * The list of folders was made again from the histories, because app.db was `lost`, or `older` than they are; `found`: there
 * were histories that it did not know.
 */
export interface RebuiltList {
  readonly why: 'lost' | 'older' | 'found'
  /** Milliseconds UTC. */
  readonly at: number
  /** Folders that were listed again or corrected: recorded ones, and removed ones whose history is kept. */
  readonly folders: number
  readonly removed: number
}

export interface HostState {
  readonly watching: WatchMode
  /** How the previous recorder ended. `restarted`: it failed and this host restarted it. */
  readonly lastEnd: 'clean' | 'unexpected' | 'restarted'
  /** Until a person confirms it; absent without one. */
  readonly rebuiltList?: RebuiltList
  /** Absent without automatic backups. */
  readonly backup?: BackupState
}

/** Who opens the watches of the system: chokidar, or, for a large folder or a worktree on Linux, `fs.watch` for each folder. */
export type WatchHandles = 'chokidar' | 'fs.watch'

/** How changes are detected now: by events (`live`), or by scans (`scanning`). */
export type WatcherState = 'live' | 'starting' | 'scanning' | 'off'

export interface AddResult {
  readonly workspace: Workspace
  readonly covered: CoverageTotals
  readonly notCovered: readonly ExcludedPath[]
  readonly head: Seq
  /** Other git worktrees of its repository that are not recorded. */
  readonly worktrees: readonly Worktree[]
  /** False while the initial snapshot is still running (`wait` was false). */
  readonly complete: boolean
}
