/** How a recorded folder stands right now. No I/O. */
import type { Seq } from './log.ts'
import type { StorageDisk, StorageUse } from './storage.ts'
import type { Drift } from './timeline.ts'
import type { Covered, HostState, NotCovered, Standing, Workspace, Worktree } from './workspace.ts'

export interface WorkspaceStatus extends Standing {
  readonly workspace: Workspace
  readonly head: Seq
  readonly rev: number
  readonly host: HostState
  readonly covered: Covered
  readonly notCovered: readonly NotCovered[]
  readonly drift: readonly Drift[]
  readonly activeRuns: readonly {
    readonly run: string
    readonly title: string
    readonly agent: string
    readonly startedAt: number
    /** It may write at any moment, so restores wait for it (RS-8). */
    readonly mayWrite: boolean
    /** When its agent last told anything, ms UTC, while no tool of it is open; null when that says nothing. */
    readonly quietSince: number | null
  }[]
  readonly interruptedRuns: readonly {
    readonly run: string
    readonly session: string | null
    readonly agent: string
    readonly turn: string | null
    readonly phase: string
    readonly toolCall: string | null
    readonly resume: { readonly command: string; readonly cwd: string } | null
    readonly title: string
    readonly at: number
    /** What the open tool call was about to do, else "". */
    readonly doing: string
    /** Files it had written. */
    readonly files: number
  }[]
  readonly interruptedRestore: { readonly id: string; readonly written: number; readonly total: number } | null
  /** Newest restore that Undo would take back, with its title. */
  readonly undo: { readonly restore: string; readonly title: string; readonly files: number } | null
  readonly redo: { readonly restore: string; readonly title: string; readonly files: number } | null
  readonly store: StorageUse
  readonly disk: StorageDisk
  /** Other working trees of its repository that are not recorded. */
  readonly worktrees: readonly Worktree[]
  /** Branch name or short commit of the folder's repository, "" without one. */
  readonly branch: string
  /** When the disk was last compared with the log, ms UTC; null before the first time. */
  readonly checkedAt: number | null
}
