/** [CP-9] Folders that are recorded on their own no more, inside one that is: its history has their files from now on. */
import { captureNewlyCovered } from '../drift/check.ts'
import { log } from '../ports/log.ts'
import { coverageState } from '../store/coverage.ts'
import type { OpenWorkspace } from './workspace.ts'

export interface ReleasedFolders {
  readonly workspace: OpenWorkspace
  /** As paths from its root. */
  readonly folders: readonly string[]
}

/** Watches and records them at once. Never throws: what could not be recorded is left to the next scan. */
export async function recordReleased(released: readonly ReleasedFolders[]): Promise<void> {
  for (const { workspace, folders } of released) if (folders.length > 0) await recordIn(workspace, folders)
}

async function recordIn(open: OpenWorkspace, folders: readonly string[]): Promise<void> {
  const cover = (): string[] => {
    // A git worktree stays a boundary.
    open.refreshWorktrees()
    open.coverageChanged()
    return folders.filter((folder) => !open.boundaries.has(folder))
  }
  try {
    // Inside the lock: the watch reports them from then on, and a check that runs would find them as changes.
    if (coverageState(open.store) === 'complete') await open.lock.run(() => captureNewlyCovered(open, cover()))
    // An initial snapshot ends with a scan.
    else cover()
  } catch (error) {
    open.disk.requireScan()
    log.error(`${open.root}: Couldn’t record ${folders.join(', ')} yet`, error)
  }
}
