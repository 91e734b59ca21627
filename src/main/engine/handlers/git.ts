/** Git's own state: what was lost, what a run did to it, and its restores. */
import { listLost } from '../git-state/lost.ts'
import { restoreGit, undoGitRestore } from '../git-state/restore-git.ts'
import { changesOfRun } from '../git-state/run-changes.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const GIT: WorkspaceHandlers<'git.lost' | 'git.changes' | 'git.restore' | 'git.undo'> = {
  'git.lost': (open) => open.lock.run(() => listLost(open.repositories, open.store)),
  'git.changes': async (open, { run }) => ({ changes: await changesOfRun(open.repositories, run) }),
  'git.restore': (open, { names, all, as, dryRun }) => {
    const restore = () => restoreGit(open.repositories, { names, all, as, dryRun })
    return dryRun ? open.lock.run(restore) : writing(open, restore)
  },
  'git.undo': (open) => writing(open, async () => ({ items: await undoGitRestore(open.repositories) }))
}

/** Clients are notified also where it failed: items before the one that git refused are written. */
function writing<T>(open: OpenWorkspace, write: () => Promise<T>): Promise<T> {
  return open.lock.run(async () => {
    try {
      return await write()
    } finally {
      open.notifyChanged(['status'])
    }
  })
}
