/** [CP-4] Keeps the boundaries of a workspace up to date with the git worktrees inside it. */
import { worktreesInside } from './git-worktrees.ts'

/** Returns a function that adds and removes worktrees in `boundaries`. Boundaries from another source stay. */
export function createWorktreeBoundaries(root: string, boundaries: Set<string>): () => void {
  let added: string[] = []
  return () => {
    const inside = new Set(worktreesInside(root))
    for (const worktree of added) if (!inside.has(worktree)) boundaries.delete(worktree)
    added = [...inside].filter((worktree) => added.includes(worktree) || !boundaries.has(worktree))
    for (const worktree of added) boundaries.add(worktree)
  }
}
