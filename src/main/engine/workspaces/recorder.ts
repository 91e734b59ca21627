/** One open workspace: what every handler works on. Its parts are filled in by open-workspace.ts. */
import type { SweepResult } from '../../../contract/storage.ts'
import type { CopyProgress, WatcherState, WatchMode, Workspace } from '../../../contract/workspace.ts'
import type { RecordingContext } from '../capture/reconcile.ts'
import type { Lock } from '../ports/lock.ts'
import type { RetentionLimits } from '../retention/limits.ts'
import type { FolderWatch } from '../watch/watcher.ts'
import type { DiskSpace } from './disk-space.ts'

export type ChangedKind = 'edits' | 'runs' | 'checkpoints' | 'restores' | 'drift' | 'status' | 'sessions'

export interface Recorder extends RecordingContext {
  readonly workspace: Workspace
  /** The person's home folder, below which agents keep their files. */
  readonly home: string
  /** Checks, restores and everything that takes a position queue here. */
  readonly lock: Lock
  /** Room for the history. */
  readonly space: DiskSpace
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
  /** Null without a host: every check is a scan then. */
  readonly watch: FolderWatch | null
  /** Working trees inside the folder came or went: they are boundaries. */
  refreshWorktrees(): void
  /** The rules changed on disk (a .gitignore was edited). */
  refreshRules(): void
  /** A person chose anew what is captured. */
  reloadCaptureSettings(): void
  watcherState(): { state: WatcherState; why: string }
  /** Progress of a first copy that runs now, in this process. */
  readonly snapshotProgress: CopyProgress | null
  /** Ignored files that changed since the last boundary: looked at there. */
  readonly postponed: Set<string>
  /** When the disk was last compared with the log by this process; null when nobody has recorded until now. */
  checkedAt: number | null
  /** What the watcher told of was not looked at: the next look is a scan. */
  mustScan: boolean
  /** How long the last scan took, ms. */
  lastScanMs: number
  /** Tells every client that something they may show is different now. */
  notifyChanged(kinds: readonly ChangedKind[], paths?: readonly string[]): void
}

/** A recorder with what only the owner of the workspaces does to it. */
export interface OpenWorkspace extends Recorder {
  /** Starts the first copy, or goes on with one that was stopped. Resolves when it is complete. */
  takeInitialSnapshot(): Promise<void>
  stopInitialSnapshot(): void
  /**
   * Lets go of what no restore point needs, or lists it; `never`: of files on the never-keep list, whatever needs it. Ends
   * early when the workspace is closed.
   */
  sweep(bounds: RetentionLimits, dryRun: boolean, how?: { never?: boolean; stop?: () => boolean }): Promise<SweepResult>
  /** Looks for commits of other processes; tells clients when there were some. */
  detectForeignCommits(): void
  /** Starts or stops watching it. */
  setWatching(to: WatchMode): Promise<void>
  close(): Promise<void>
}
