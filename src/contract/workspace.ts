/** A recorded folder as callers see it: where it is, what of it is covered, how changes are noticed. No I/O. */
import type { NotStoredReason, Seq } from './log.ts'
import type { StorageUse } from './storage.ts'

/** Identifies a recorded folder; ids are opaque strings with a readable prefix (`ws_`, `run_`, `cp_`, `rst_`, `dr_`). */
export type WorkspaceId = string

export interface Workspace {
  readonly id: WorkspaceId
  /** Real absolute path of the folder. */
  readonly root: string
  readonly name: string
}

export interface NotCovered {
  readonly path: string
  readonly reason: NotStoredReason
  /** Bytes, when known. */
  readonly size?: number
}

export interface Covered {
  readonly files: number
  readonly bytes: number
}

/** `copying`: the first copy is under way; `complete`; `partial`: the first copy was stopped or failed before its end. */
export type CoverageState = 'copying' | 'complete' | 'partial'

export interface CopyProgress {
  readonly files: number
  readonly filesTotal: number
  readonly bytes: number
  readonly bytesTotal: number
  /** False until the names have all been read, so totals still grow. */
  readonly counted: boolean
}

/** Another working tree of a folder's git repository. */
export interface Worktree {
  /** Real absolute path. */
  readonly folder: string
  /** "" when HEAD is detached. */
  readonly branch: string
}

/** How a recorded folder stands, wherever it is told of. */
export interface Standing {
  readonly folder: 'present' | 'missing'
  /** True while a host watches the folder. */
  readonly recording: boolean
  /** `why` is a sentence unless it is `live`. */
  readonly watcher: { readonly state: WatcherState; readonly why: string }
  readonly coverage: CoverageState
  readonly copy: CopyProgress | null
  /** When the newest Edit was recorded, ms UTC; null before the first one. */
  readonly lastEditAt: number | null
}

/** A workspace in the list of all. */
export interface WorkspaceSummary extends Workspace, Standing {
  readonly addedAt: number
  /** The main working tree of its repository, when it is a linked one. */
  readonly worktreeOf?: string
  /** What its history takes; null when it cannot be read, and then `watcher.why` says why. */
  readonly store: StorageUse | null
  readonly live: boolean
  readonly openDrift: number
  readonly runsToday: number
  /** Time of the newest timeline entry, null when there is none. */
  readonly lastAt: number | null
}

/** Whether this process watches the recorded folders. `paused`: a person said so; `safe-mode`: it ended unexpectedly again and again; `off`: it is no host. */
export type Watching = 'on' | 'paused' | 'safe-mode' | 'off'

export interface HostState {
  readonly watching: Watching
  /** How the recorder before this one ended. `restarted`: it failed and this host started it again. */
  readonly lastEnd: 'clean' | 'unexpected' | 'restarted'
}

/** How changes are noticed at the moment. */
export type WatcherState = 'live' | 'starting' | 'scanning' | 'off'

export interface AddResult {
  readonly workspace: Workspace
  readonly covered: Covered
  readonly notCovered: readonly NotCovered[]
  readonly head: Seq
  /** Other working trees of its repository that are not recorded. */
  readonly worktrees: readonly Worktree[]
  /** False when `wait` was false and the first copy goes on. */
  readonly complete: boolean
}
