/** The interfaces of one open workspace, which every handler works on. Implemented by open-workspace.ts. */
import type { SweepResult } from '../../../contract/storage.ts'
import type { CopyProgress, WatcherState, WatchMode, Workspace } from '../../../contract/workspace.ts'
import type { RecordingContext } from '../capture/reconcile.ts'
import type { DiskSpace } from '../files/disk-space.ts'
import type { Lock } from '../ports/lock.ts'
import type { RetentionLimits } from '../retention/limits.ts'
import type { FolderWatch } from '../watch/watcher.ts'

export type ChangedKind = 'edits' | 'runs' | 'checkpoints' | 'restores' | 'drift' | 'status' | 'sessions'

export interface Recorder extends RecordingContext {
  readonly workspace: Workspace
  /** The person's home folder; agents keep their files below it. */
  readonly home: string
  /** Held by checks, restores and everything that takes a position. */
  readonly lock: Lock
  /** Free space for the history. */
  readonly space: DiskSpace
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
  /** Null while the folder is not watched: every check is a scan then. */
  readonly watch: FolderWatch | null
  /** Reads which git worktrees are inside the folder: they are boundaries. */
  refreshWorktrees(): void
  /** Reads the ignore rules again (a .gitignore may have changed). */
  refreshRules(): void
  /** A person changed the capture settings. */
  reloadCaptureSettings(): void
  watcherState(): { state: WatcherState; why: string }
  /** Progress of an initial snapshot that this process runs now; else null. */
  readonly snapshotProgress: CopyProgress | null
  /** Ignored files that changed since the last full check; compared at the next one. */
  readonly postponed: Set<string>
  /** When this process last compared the disk with the log, ms; null if nothing was recording until now. */
  checkedAt: number | null
  /** Dirty paths were consumed without being compared: the next check must scan. */
  mustScan: boolean
  /** Duration of the last scan, ms. */
  lastScanMs: number
  /** Notifies all clients of changes that they may show. */
  notifyChanged(kinds: readonly ChangedKind[], paths?: readonly string[]): void
}

/** A recorder with the methods for the owner of the workspaces only. */
export interface OpenWorkspace extends Recorder {
  /** Starts the initial snapshot or continues one that was stopped. Resolves when it is complete. */
  takeInitialSnapshot(): Promise<void>
  stopInitialSnapshot(): void
  /**
   * Lets go of what no restore point needs, or lists it; `never`: of files on the never-keep list, whatever needs it. Ends
   * early when the workspace is closed.
   */
  sweep(bounds: RetentionLimits, dryRun: boolean, how?: { never?: boolean; stop?: () => boolean }): Promise<SweepResult>
  /** Checks for commits of other processes; notifies clients if there were some. */
  detectForeignCommits(): void
  /** Starts or stops watching. */
  setWatching(to: WatchMode): Promise<void>
  close(): Promise<void>
}
