/**
 * [WT-2] Opens and records worktrees that git has made. They come many at once, and an agent may remove one seconds later: the
 * files of all are recorded one after the other, and none waits until another one was compared with its disk.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { SETTINGS } from '../../../contract/settings.ts'
import type { WorktreeMode } from '../../../contract/workspace.ts'
import { checkDisk } from '../drift/check.ts'
import { readGitHead } from '../git/git-head.ts'
import type { LinkedWorktree } from '../git/git-worktrees.ts'
import { log } from '../ports/log.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import { checkFolder } from './check-folder.ts'
import type { RecordedWorktree } from './recorded-folders.ts'
import type { Registry } from './registry.ts'
import type { OpenWorkspace } from './workspace.ts'

interface Options {
  readonly dataDir: string
  readonly home: string
  now(): number
}

/** Whether worktrees of this folder's repository are recorded by themselves: `on`, `off`, or a person is asked. */
export function worktreeMode(setting: (key: string) => string | null, workspace: string): WorktreeMode {
  const value = setting(`git.worktrees/${workspace}`) || setting('git.worktrees') || SETTINGS['git.worktrees'].initial
  return value === 'on' || value === 'off' ? value : 'ask'
}

export function createBornWorktrees(registry: Registry, options: Options) {
  /** By what is compared, the main folder of its repository. */
  const comparing = new Map<Promise<void>, OpenWorkspace>()
  return {
    /**
     * The worktree, open and watched, if it is recorded from now on; null if it was before, or is not to be. `known`: its entry
     * in the list of worktrees, if it has one.
     */
    open: async (
      main: OpenWorkspace,
      { name, folder }: LinkedWorktree,
      known: RecordedWorktree | undefined
    ): Promise<OpenWorkspace | null> => {
      const { id } = main.workspace
      if (known && known.removedAt === null) {
        const open = registry.opened().find(({ workspace }) => workspace.id === known.id)
        // A process may have died after it had listed the worktree, before the snapshot.
        return open && readMeta(open.store, 'coverage') === 'none' ? open : null
      }
      const isRecorded = registry.list().some(({ root }) => root === folder)
      if (!isRecorded && !known && worktreeMode(registry.setting, id) !== 'on') return null
      try {
        const { dataDir, home } = options
        await checkFolder(folder, { home, dataDir, confirmed: isRecorded })
        const registered = registry.registerWorktree(
          folder,
          { main: id, name, branch: branchOf(folder) },
          options.now()
        )
        if (isRecorded) return null
        const open = registry.open(registered.id)
        const born = readGitHead(folder)?.commit
        if (!known && born) transact(open.store, (tx) => writeMeta(tx, 'git_born', born))
        return open
      } catch (error) {
        // Removed meanwhile, or a folder that only a person may add.
        if (!(error instanceof DriftlineError)) throw error
        log.warn(`the worktree ${folder} is not recorded: ${error.message}`)
        return null
      }
    },
    /** Resolves when its files are recorded; their first comparison follows, then a capture of git's state. */
    record: (main: OpenWorkspace, open: OpenWorkspace): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const done = recordFiles(open, resolve)
        .catch((error: unknown) => log.error(`the worktree ${open.root} could not be recorded`, error))
        .finally(() => {
          resolve()
          comparing.delete(done)
          const isLast = ![...comparing.values()].includes(main)
          if (isLast && registry.opened().includes(main)) main.repositories.own.capture()
        })
      comparing.set(done, main)
      return promise
    },
    /** Resolves when nothing is compared any more. */
    settled: async (): Promise<void> => {
      await Promise.all(comparing.keys())
    }
  }
}

async function recordFiles(open: OpenWorkspace, onCopied: () => void): Promise<void> {
  try {
    if (coverageState(open.store) !== 'complete') await open.takeInitialSnapshot(onCopied)
    // Made again where it was before.
    else await open.lock.run(() => checkDisk(open, 'position'))
  } catch (error) {
    // Removed, stopped, or the disk is full: its status says so.
    if (!(error instanceof DriftlineError)) throw error
    log.warn(`the worktree ${open.root} is not recorded completely: ${error.message}`)
  }
}

function branchOf(folder: string): string {
  return readGitHead(folder)?.branch ?? ''
}
