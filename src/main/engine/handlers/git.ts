/** Git's own state: what was lost, what a run did to it, and its restores. */
import type { RestoredGitItem } from '../../../contract/git.ts'
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
    return dryRun ? open.lock.run(async () => ({ items: await restore() })) : writing(open, restore)
  },
  'git.undo': (open) => writing(open, () => undoGitRestore(open.repositories))
}

/** Clients are notified also where it failed: items before the one that git refused are written. */
function writing(open: OpenWorkspace, write: () => Promise<RestoredGitItem[]>): Promise<{ items: RestoredGitItem[] }> {
  return open.lock.run(async () => {
    try {
      return { items: await write() }
    } finally {
      open.notifyChanged(['status'])
    }
  })
}
