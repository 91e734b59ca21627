/** The status of one workspace: coverage, drift, runs, restores, storage. No I/O. */
import type { StoppedRun } from './brake.ts'
import type { Phase, ToolCall } from './conversation.ts'
import type { Seq } from './log.ts'
import type { QueuedRestore } from './restore.ts'
import type { StorageDisk, StorageUse } from './storage.ts'
import type { TestResult } from './tests.ts'
import type { Drift } from './timeline.ts'
import type {
  CoverageTotals,
  ExcludedPath,
  HostState,
  RecordedWorktree,
  Workspace,
  WorkspaceState,
  Worktree,
  WorktreeMode
} from './workspace.ts'

/** `replaced`: by one without any ref. */
export type LostRepository = 'missing' | 'replaced'

export interface ActiveRun {
  readonly run: string
  readonly title: string
  readonly agent: string
  readonly startedAt: number
  /** It may write at any time, so restores wait for it (RS-8). */
  readonly mayWrite: boolean
  /**
   * When its agent's last event arrived, ms UTC, if no tool call is open; null in a run without hooks or with an open
   * call.
   */
  readonly quietSince: number | null
}

export interface InterruptedRun {
  readonly run: string
  readonly session: string | null
  readonly agent: string
  readonly turn: string | null
  readonly phase: Phase
  readonly toolCall: string | null
  readonly resume: { readonly command: string; readonly cwd: string } | null
  readonly title: string
  readonly at: number
  /** `openCall` as one text, else "". */
  readonly doing: string
  /** The tool call that was open; null without one. */
  readonly openCall: Pick<ToolCall, 'name' | 'summary'> | null
  /** Number of files it changed. */
  readonly files: number
}

export interface WorkspaceStatus extends WorkspaceState {
  readonly workspace: Workspace
  readonly head: Seq
  readonly rev: number
  readonly host: HostState
  readonly covered: CoverageTotals
  readonly notCovered: readonly ExcludedPath[]
  readonly drift: readonly Drift[]
  readonly activeRuns: readonly ActiveRun[]
  readonly interruptedRuns: readonly InterruptedRun[]
  /** [BR-1] Runs that were stopped and wait for a person, oldest first. */
  readonly stopped: readonly StoppedRun[]
  /** A restore whose process died: how many of its paths are written. */
  readonly interruptedRestore: { readonly id: string; readonly written: number; readonly total: number } | null
  /** Restores that wait for the end of a turn or for the person, oldest first. */
  readonly queuedRestores: readonly QueuedRestore[]
  /** The restores that Undo and Redo would revert. */
  readonly undo: { readonly restore: string; readonly title: string; readonly files: number } | null
  readonly redo: { readonly restore: string; readonly title: string; readonly files: number } | null
  /** The test result at the target `green`; null before any test passed. */
  readonly lastPass?: TestResult | null
  readonly store: StorageUse
  readonly disk: StorageDisk
  /** Other git worktrees of its repository that are not recorded. */
  readonly worktrees: readonly Worktree[]
  readonly worktreeMode: WorktreeMode
  /** Worktrees of its repository that were removed with files that are nowhere else, newest first. */
  readonly removedWorktrees: readonly RecordedWorktree[]
  /** [GT-10] Its git repository is gone, or has no ref while an earlier one had some; absent otherwise. */
  readonly repository?: LostRepository
  /** The same of repositories of subfolders that are still there; absent if there is none. */
  readonly lostBelow?: readonly { readonly folder: string; readonly state: LostRepository }[]
  /** Branch or short commit id of its git repository, "" without one. */
  readonly branch: string
  /** When the folder was last scanned, ms UTC; null before the first scan. */
  readonly checkedAt: number | null
}
