/** [CP-4] Keeps a workspace's boundaries in step with git's working trees inside the folder. */
import { worktreesInside } from './git-worktrees.ts'

/** Adds and removes working trees in `boundaries` at each call; what is there for another reason stays. */
export function createWorktreeBoundaries(root: string, boundaries: Set<string>): () => void {
  let added: string[] = []
  return () => {
    const inside = new Set(worktreesInside(root))
    for (const one of added) if (!inside.has(one)) boundaries.delete(one)
    added = [...inside].filter((one) => added.includes(one) || !boundaries.has(one))
    for (const one of added) boundaries.add(one)
  }
}
