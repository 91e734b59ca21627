/**
 * The type of one open workspace: what each feature needs of it, and what its owner does. Composed by
 * open-workspace.ts.
 */
import type { EngineEvents, EventName } from '../../../contract/api.ts'
import type { SweepResult } from '../../../contract/storage.ts'
import type { CopyProgress, WatchMode, WorkspaceState } from '../../../contract/workspace.ts'
import type { AgentWorkspace } from '../agents/agent-workspace.ts'
import type { Brake } from '../brake/brake.ts'
import type { Repositories } from '../git-state/repositories.ts'
import type { RestoreContext } from '../restore/restore-context.ts'
import type { RetentionLimits } from '../retention/limits.ts'
import type { ToolWorkspace } from '../tools/tool-runs.ts'

/** Sends an event to all clients. */
export type Emit = <E extends EventName>(event: E, payload: EngineEvents[E]) => void

interface SweepRequest {
  readonly dryRun?: boolean
  readonly never?: boolean
  readonly stop?: () => boolean
}

export interface OpenWorkspace extends AgentWorkspace, RestoreContext, ToolWorkspace {
  /** Ends dead runs, then checks the disk. Every question about the present begins with it. Call inside the lock. */
  refresh(mode: 'position' | 'present'): Promise<void>
  watcherState(): WorkspaceState['watcher']
  /** Stops runs that delete too much. */
  readonly brake: Brake
  /** Git's own state of this folder's repository, and of those of subfolders. */
  readonly repositories: Repositories
  /** Progress of an initial snapshot that this process runs now; else null. */
  readonly snapshotProgress: CopyProgress | null
  /**
   * Starts the initial snapshot or continues one that was stopped. Resolves when it was compared with the disk; `onCopied` is
   * called when it is complete.
   */
  takeInitialSnapshot(onCopied?: () => void): Promise<void>
  stopInitialSnapshot(): void
  /**
   * Evicts content that no checkpoint needs, with `dryRun` only lists it; `never`: that of files which the settings exclude,
   * whatever needs it. Ends early when the workspace is closed.
   */
  sweep(bounds: RetentionLimits, how?: SweepRequest): Promise<SweepResult>
  /** Applies what is queued, unless a run may still write. */
  applyQueuedRestores(): void
  /** A person changed the capture settings, or stopped recording a folder inside: follows both, and watches what is covered now. */
  coverageChanged(): void
  /** Checks for commits of other processes; notifies clients if there were some. */
  detectForeignCommits(): void
  /** Starts or stops watching. */
  setWatching(to: WatchMode): Promise<void>
  close(): Promise<void>
}
