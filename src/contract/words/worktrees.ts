/** The words of recorded worktrees. Pure. */
import type { RecordedWorktree } from '../workspace.ts'
import { plural } from './numbers.ts'

/** What a removed worktree leaves behind. */
export function removedWorktreeText({ worktree, lost }: Pick<RecordedWorktree, 'worktree' | 'lost'>): string {
  if (lost === 0)
    return `Worktree ${worktree} was removed. All its files are in commits, in the main folder’s history or in another worktree.`
  if (lost === null)
    return `Worktree ${worktree} was removed before all its files were recorded. Some of them may be nowhere else.`
  return `Worktree ${worktree} was removed with ${plural(lost, 'file')} that ${lost === 1 ? 'is' : 'are'} nowhere else.`
}
