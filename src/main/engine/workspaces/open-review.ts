/**
 * Opens the history of a review of a bundle as a workspace that nothing records in. Its folder is the one that holds the
 * history, which is never scanned: the present is the end of its log.
 */
import type { Workspace } from '../../../contract/workspace.ts'
import { openWorkspace } from './open-workspace.ts'
import type { OpenWorkspace } from './workspace.ts'

type ReviewOptions = Pick<
  Parameters<typeof openWorkspace>[0],
  'home' | 'clock' | 'ingestProgram' | 'freeBytes' | 'emit' | 'setting'
> & {
  readonly workspace: Workspace
  /** Holds the history alone. */
  readonly folder: string
}

export function openReview({ workspace, folder, setting, ...options }: ReviewOptions): OpenWorkspace {
  const open = openWorkspace({
    ...options,
    // Its own folder is on the disk for sure; the bundle's file may be gone.
    workspace: { ...workspace, root: folder },
    dataDir: folder,
    boundaries: new Set(),
    watching: 'off',
    setting: (key) => (key.startsWith('git.state') ? 'off' : setting(key)),
    checkHistory: () => {},
    noteHistory: () => {},
    recordedInside: new Set(),
    isRecordedElsewhere: () => false,
    onGitChange: () => {},
    filesOfWorktree: async () => [],
    revive: () => null,
    sharesWith: () => null
  })
  return {
    ...open,
    workspace,
    endDeadRuns: async () => {},
    refresh: async () => {},
    catchUp: () => {},
    applyQueuedRestores: () => {},
    watcherState: () => ({ ...open.watcherState(), state: 'off', why: { code: 'bundle' } })
  }
}
