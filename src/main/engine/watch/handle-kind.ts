/** Which handles the folders of a workspace have: chokidar's until it is large, then those of `fs.watch`, for good. */
import type { Clock } from '../ports/clock.ts'
import type { FolderHandles, WatchedFolder } from './folder-handles.ts'
import type { Handover } from './handover.ts'

/** A workspace with more folders or files is large. */
export interface ChokidarLimits {
  readonly folders: number
  readonly files: number
  /**
   * After how long a folder gets a handle of chokidar, which lists it again, ms: a recorder starts with a command that waits for
   * its answer, and many a new folder is gone by then.
   */
  readonly delay: number
}

export const CHOKIDAR_LIMITS: ChokidarLimits = { folders: 1000, files: 10_000, delay: 1000 }
/** Every folder is large. */
export const NEVER_CHOKIDAR: ChokidarLimits = { folders: 0, files: 0, delay: 0 }

/** Files that come are counted as they come, and a listing tells how many replaced another; at most so often, ms. */
const RECOUNT_MS = 1000

interface HandleKindOptions {
  readonly limits: ChokidarLimits
  readonly handles: FolderHandles
  readonly handover: Handover
  readonly clock: Clock
  /** All folders that are watched now. */
  readonly all: () => Iterable<WatchedFolder>
  /** Lists all folders again, and calls `judge`. */
  readonly recount: () => void
}

export function createHandleKind({ limits, handles, handover, clock, all, recount }: HandleKindOptions) {
  let cancelRecount: (() => void) | null = null
  return {
    /** After the folders were listed. True if they became large: a size near the limit would change the kind to and fro. */
    judge(): boolean {
      const isLarge = handles.count() > limits.folders || handles.files() > limits.files
      if (handover.kind() !== 'chokidar' || !isLarge) return false
      handover.change('fs.watch', all())
      return true
    },
    /** The folder has one more file, or another one of that name. */
    fileCame(folder: WatchedFolder): void {
      handles.countFiles(folder, folder.files + 1)
      if (handover.kind() !== 'chokidar' || handles.files() <= limits.files) return
      cancelRecount ??= clock.setTimeout(() => {
        cancelRecount = null
        recount()
      }, RECOUNT_MS)
    },
    close: (): void => cancelRecount?.()
  }
}
