/** Recorded worktrees of a repository, and what those that were removed leave behind. */
import type { RecordedWorktree } from '../../../contract/workspace.ts'
import { worktreeMode } from '../workspaces/born-worktrees.ts'
import { toWorkspace } from '../workspaces/recorded-folders.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const WORKTREES: WorkspaceHandlers<'worktrees.list'> = {
  'worktrees.list': ({ workspace }, _, { registry }) => ({
    mode: worktreeMode(registry.setting, workspace.id),
    worktrees: worktreesOf(registry, workspace.id)
  })
}

/** Those that were removed with files that are nowhere else, newest first; of a worktree, itself. */
export function removedWorktrees(registry: Registry, workspace: string): RecordedWorktree[] {
  const main = registry.mainOfWorktree(workspace)
  return worktreesOf(registry, main ?? workspace)
    .filter(({ id }) => main === null || id === workspace)
    .filter(({ removedAt, lost }) => removedAt !== null && lost !== 0)
    .sort((a, b) => (b.removedAt ?? 0) - (a.removedAt ?? 0))
}

function worktreesOf(registry: Registry, main: string): RecordedWorktree[] {
  return registry.worktreesOf(main).map(({ id, root, name, branch, removedAt, lost, head }) => ({
    ...toWorkspace({ id, root }),
    worktree: name,
    branch,
    removedAt,
    lost,
    target: `seq:${head ?? 0}`
  }))
}
