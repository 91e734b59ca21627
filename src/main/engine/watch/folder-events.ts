/** Interface of the two watch backends: one handle per folder (Linux), one for the whole tree (other systems). */
import type { Stats } from 'node:fs'
import type { WatchHandles } from '../../../contract/workspace.ts'
import { exactLstat } from '../files/exact-stat.ts'
import { isOwnName } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'
import type { ScanObserver } from '../ports/scan-observer.ts'

/** Receives the events. Paths are root-relative and '/'-separated. */
export interface EventSink {
  /** The entry at `path` may have been created, changed or deleted. */
  pathChanged(path: string): void
  /** `folder` and everything below it must be compared. */
  treeChanged(folder: string): void
  /** Every folder is watched now. */
  ready(): void
  /** `FolderEvents.handles` has another value. */
  handlesChanged(): void
  /** The root may have been moved, deleted or replaced. */
  rootUncertain(): void
  /** Watching stopped. */
  failed(error: NodeJS.ErrnoException): void
}

/**
 * A scan that takes the place of the first walk: it finds the folders anyway, so each is listed and its stat taken once.
 * Invariant: the scan enters a folder before it takes the stat or the names that it compares.
 */
export interface FirstScan extends ScanObserver {
  /** `paths`: how many were compared; null if the scan was not completed, so that the folders have to be walked. */
  end(paths: number | null): void
}

export interface FolderEvents {
  /** Whether lost events show (event-burst.ts); if not, each scan verifies the watch (`expectReports`). */
  readonly showsLoss: boolean
  /** Who opens the handles: chokidar, or, for a large folder on Linux, `fs.watch` for each folder. */
  handles(): WatchHandles
  /** Number of folders watched now. */
  folders(): number
  /**
   * Resolves when every folder known so far is watched, and every event that the system had queued before the call was
   * delivered. Where that cannot be known it resolves after a bounded time; a comparison finds later events.
   */
  settled(): Promise<void>
  /** Watches folders in `folder` and below that the ignore rules no longer ignore. */
  rulesChanged(folder: string): void
  /** Null once a walk has begun, or if nothing is at the root. Absent where no walk is needed. */
  beginScan?(): FirstScan | null
  close(): Promise<void>
}

export interface FolderEventsOptions {
  /** Real absolute path. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  readonly clock: Clock
  /** A scan of everything probably begins in this moment (`beginScan`): the walk waits a while for it. */
  readonly awaitsScan?: boolean
  readonly sink: EventSink
}

/** Opens a backend. It calls the sink only after it has returned. */
export type OpenFolderEvents = (options: FolderEventsOptions) => FolderEvents

/** Null if nothing is at the path, or nothing that can be reached: then an event of its parent covers it. */
export function lstatOrNull(path: string): Stats | null {
  try {
    return exactLstat(path) ?? null
  } catch {
    return null
  }
}

/** Git's own files, and our temporary files (DR-3). */
export function isNeverWatched(name: string): boolean {
  return name === '.git' || isOwnName(name)
}

/** Names of files that decide which folders are ignored. */
export const RULE_FILES: readonly string[] = ['.gitignore', 'CACHEDIR.TAG']
