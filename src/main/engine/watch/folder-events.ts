/** What the two ways of watching (one watch per folder on Linux, chokidar elsewhere) offer and report. */
import { isOwnName } from '../files/workspace-fs.ts'

/** Where events go. Paths are root-relative and '/'-separated. */
export interface EventSink {
  /** The entry at `path` may have come, gone or changed. */
  pathChanged(path: string): void
  /** `folder` and everything below it must be read. */
  treeChanged(folder: string): void
  /** Every folder is watched now. */
  ready(): void
  /** The root may have been moved, deleted or replaced. */
  rootUncertain(): void
  /** Watching cannot go on. */
  failed(error: NodeJS.ErrnoException): void
}

export interface FolderEvents {
  /** True if events are handed out in the order they happened, across all watches of this thread. */
  readonly ordered: boolean
  /** Folders watched now. */
  folders(): number
  /** Resolves when every folder known so far is watched. */
  settled(): Promise<void>
  /** Watch what the ignore rules no longer ignore in `folder` and below. */
  rulesChanged(folder: string): void
  close(): Promise<void>
}

export interface FolderEventsOptions {
  /** Real absolute path. */
  readonly root: string
  readonly ignoresDir: (relDir: string) => boolean
  readonly sink: EventSink
}

/** Names that are never watched: git's own files, and ours (DR-3). */
export function isNeverWatched(name: string): boolean {
  return name === '.git' || isOwnName(name)
}
