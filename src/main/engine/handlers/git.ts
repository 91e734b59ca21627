/** Git's own state: what was lost, what a run did to it, and its restores. */

import { listLost } from '../git-state/lost.ts'
import { restoreGit, undoGitRestore } from '../git-state/restore-git.ts'
import { changesOfRun } from '../git-state/run-changes.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const GIT: WorkspaceHandlers<'git.lost' | 'git.changes' | 'git.restore' | 'git.undo'> = {
  'git.lost': (open) => open.lock.run(() => listLost(open.git)),
  'git.changes': async (open, { run }) => ({ changes: await changesOfRun(open.git, run) }),
  'git.restore': async (open, { names, all, as, dryRun }) => ({
    items: await open.lock.run(() => restoreGit(open.git, { names, all, as, dryRun }))
  }),
  'git.undo': async (open) => ({ items: await open.lock.run(() => undoGitRestore(open.git)) })
}
