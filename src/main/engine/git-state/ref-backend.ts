/** What files and tables of refs have in common. */
import type { GitWork } from '../store/restore-git.ts'

/** Refs by their full names, and HEAD by its path in the repository. Throws Refused where git's refs cannot be read. */
export interface LiveRefs {
  /** An object id, or what a symbolic ref names; '' if it does not exist. */
  read(name: string): string
  /** False also where git's refs cannot be read. */
  has(name: string): boolean
  /** Whether there is any ref at all; true also where git's refs cannot be read. */
  hasAny(): boolean
  /** The reflog of stashes as a file has it; null if it does not exist. */
  stashLog(): Buffer | null
  /**
   * Points a ref from `from` to `to`, '' deletes it; with the reflog of stashes, if the work has it. Throws Refused, with
   * nothing changed, if the ref is not `from` or git has it locked.
   */
  write(work: Pick<GitWork, 'name' | 'from' | 'to' | 'log'>): Promise<void>
}
