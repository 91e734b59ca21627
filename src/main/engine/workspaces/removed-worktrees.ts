/** [WT-3] What removed worktrees leave behind, and how one is made again. */
import { lstatSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { PlanWarning } from '../../../contract/restore.ts'
import { ifReadable } from '../files/fs-errors.ts'
import { gitFolderAt } from '../git/git-folder.ts'
import { readGitHead } from '../git/git-head.ts'
import { linkedWorktrees } from '../git/git-worktrees.ts'
import { restoreWorktreeLink } from '../git-state/worktree-link.ts'
import { log } from '../ports/log.ts'
import { limitsOf } from '../retention/limits.ts'
import { cutoffOf } from '../retention/retained.ts'
import { lastSeqWithFiles } from '../store/edits.ts'
import { importFiles, type WorktreeFile } from '../store/import-files.ts'
import { readMeta } from '../store/meta.ts'
import type { Registry } from './registry.ts'
import type { OpenWorkspace } from './workspace.ts'
import { countLost, lostFiles, type Others } from './worktree-loss.ts'

interface Options {
  now(): number
  /** The list of folders changed. */
  onListChanged(): void
}

export function createRemovedWorktrees(registry: Registry, options: Options) {
  const othersOf = (main: OpenWorkspace): Others => {
    const rows = registry.worktreesOf(main.workspace.id)
    const present = rows.filter(({ removedAt, root }) => removedAt === null && !isGone(root))
    return { main, present: present.map(({ id }) => registry.open(id)) }
  }
  /** Its folder is gone. What it was is counted before its history is closed. */
  const close = async (main: OpenWorkspace, worktree: string): Promise<void> => {
    const open = registry.open(worktree)
    const head = lastSeqWithFiles(open.store)
    registry.markWorktreeRemoved(worktree, options.now(), head)
    const lost = await countLost(open, othersOf(main), head)
    if (lost !== null) registry.setWorktreeLoss(worktree, lost)
    await registry.closeFolder(worktree)
  }
  const cutoffOfHistory = (id: string): number => cutoffOf(options.now(), limitsOf(registry.setting, id).days)

  return {
    /** Closes those whose folders are gone. Returns which. */
    closeGone: async (main: OpenWorkspace): Promise<readonly string[]> => {
      const all = registry.worktreesOf(main.workspace.id)
      const gone = all.filter(({ removedAt, root }) => removedAt === null && isGone(root)).map(({ id }) => id)
      for (const id of gone) await close(main, id)
      return gone
    },
    /** Deletes the histories of those that were removed before the retention time. Returns how many. */
    deleteExpired: async (main: OpenWorkspace): Promise<number> => {
      const all = registry.worktreesOf(main.workspace.id)
      const expired = all.filter(({ removedAt, id }) => removedAt !== null && removedAt < cutoffOfHistory(id))
      for (const { id } of expired) await registry.remove(id, options.now(), { deleteHistory: true })
      return expired.length
    },
    /**
     * [WT-5] A restore has created the folder of a removed worktree again: git knows it again, too. Returns a warning where it
     * does not.
     */
    revive: (open: OpenWorkspace): PlanWarning | null => {
      const id = registry.mainOfWorktree(open.workspace.id)
      const row = id === null ? undefined : registry.worktreesOf(id).find((each) => each.id === open.workspace.id)
      if (id === null || !row || row.removedAt === null || isGone(open.root)) return null
      const main = registry.open(id)
      // Its folder in the repository belongs to that one now.
      const isTaken = linkedWorktrees(main.root).some(({ name, folder }) => name === row.name && folder !== open.root)
      const failure = isTaken ? 'name-taken' : linkAgain(main, open, row.name)
      registry.registerWorktree(open.root, row, options.now())
      options.onListChanged()
      main.notifyChanged(['status'])
      if (failure !== null && gitFolderAt(open.root) === null) return { code: 'no-worktree-link', why: failure }
      return branchWarning(open)
    },
    /** Files of a removed worktree that are nowhere else, as versions of the main folder's history. */
    filesFor: async (main: OpenWorkspace, worktree: string): Promise<WorktreeFile[]> => {
      const row = registry.worktreesOf(main.workspace.id).find(({ id }) => id === worktree)
      if (!row || row.removedAt === null)
        throw new DriftlineError('UnknownTarget', `"${worktree}" is not a removed worktree of this folder.`, {
          worktree
        })
      const open = registry.open(row.id)
      return importFiles(open.store, main.store, await lostFiles(open, othersOf(main), row.head ?? 0))
    }
  }
}

/** Its branch was deleted with it: then git takes all files for new. */
function branchWarning({ root, store }: OpenWorkspace): PlanWarning | null {
  const head = readGitHead(root)
  const isUnborn = head !== null && head.branch !== '' && head.commit === ''
  return isUnborn && readMeta(store, 'git_born') !== null ? { code: 'worktree-branch-gone', branch: head.branch } : null
}

/** Null once the folder is a worktree of the repository again. The files are restored: what fails now is said, not thrown. */
function linkAgain(main: OpenWorkspace, open: OpenWorkspace, name: string): 'not-kept' | 'not-written' | null {
  const { root, repositories } = open
  try {
    return restoreWorktreeLink([main.repositories.own, repositories.own], root, name) ? null : 'not-kept'
  } catch (error) {
    log.warn(`${root} could not be made a worktree again`, error)
    return 'not-written'
  }
}

function isGone(root: string): boolean {
  return ifReadable(() => lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) !== true
}
