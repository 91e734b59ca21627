/**
 * [WT-2] Records the worktrees of recorded repositories by themselves, once a person agreed to it: from the moment git has
 * written them until they are removed. Their histories then stay for the retention time.
 */
import { lstatSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { PlanWarning } from '../../../contract/restore.ts'
import { SETTINGS } from '../../../contract/settings.ts'
import type { WorktreeMode } from '../../../contract/workspace.ts'
import { checkDisk } from '../drift/check.ts'
import { ifReadable } from '../files/fs-errors.ts'
import { findGitFolder, gitFolderAt } from '../git/git-folder.ts'
import { readGitHead } from '../git/git-head.ts'
import { type LinkedWorktree, linkedWorktrees, siblingsOf } from '../git/git-worktrees.ts'
import { restoreWorktreeLink } from '../git-state/worktree-link.ts'
import { log } from '../ports/log.ts'
import { limitsOf } from '../retention/limits.ts'
import { cutoffOf } from '../retention/retained.ts'
import { coverageState } from '../store/coverage.ts'
import { lastSeqWithFiles } from '../store/edits.ts'
import { importFiles, type WorktreeFile } from '../store/import-files.ts'
import { writeMeta } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import { checkFolder } from './check-folder.ts'
import type { Registry } from './registry.ts'
import type { OpenWorkspace } from './workspace.ts'
import { countLost, lostFiles } from './worktree-loss.ts'

interface Options {
  readonly dataDir: string
  readonly home: string
  now(): number
  /** The list of folders changed. */
  onListChanged(): void
}

export type RecordedWorktrees = ReturnType<typeof createRecordedWorktrees>

/** Whether worktrees of this folder's repository are recorded by themselves: `on`, `off`, or a person is asked. */
export function worktreeMode(setting: (key: string) => string | null, workspace: string): WorktreeMode {
  const value = setting(`git.worktrees/${workspace}`) || setting('git.worktrees') || SETTINGS['git.worktrees'].initial
  return value === 'on' || value === 'off' ? value : 'ask'
}

export function createRecordedWorktrees(registry: Registry, options: Options) {
  const running = new Map<string, Promise<void>>()
  const due = new Set<string>()
  /** What clients were last notified of, by workspace. */
  const noticed = new Map<string, string>()

  /** Compares git's worktrees with the recorded ones, soon, one comparison of a repository at a time. */
  const request = (main: OpenWorkspace): void => {
    const { id } = main.workspace
    due.add(id)
    if (running.has(id)) return
    const work = (async () => {
      while (due.delete(id)) await align(main)
    })()
    const done = work
      .catch((error: unknown) => log.error(`the worktrees of ${main.root} could not be recorded`, error))
      .finally(() => running.delete(id))
    running.set(id, done)
  }

  const align = async (main: OpenWorkspace): Promise<void> => {
    const { id } = main.workspace
    const linked = linkedWorktrees(main.root).filter(({ folder }) => folder !== main.root)
    const born: OpenWorkspace[] = []
    for (const worktree of linked.filter(({ isComplete }) => isComplete)) {
      const open = await openIfRecorded(main, worktree)
      if (open) born.push(open)
    }
    // All are watched before the first one is copied.
    for (const open of born) await recordFiles(open)
    if (born.length > 0) main.git.capture()
    const removed = registry.worktreesOf(id).filter(({ removedAt, root }) => removedAt === null && isGone(root))
    for (const { id: worktree } of removed) await close(main, worktree)
    const expired = registry
      .worktreesOf(id)
      .filter(({ removedAt, id: own }) => removedAt !== null && removedAt < cutoffOfHistory(own))
    for (const { id: worktree } of expired) await registry.remove(worktree, true, options.now())
    if (born.length + removed.length + expired.length > 0) options.onListChanged()
    // Whatever git command it was: clients are notified only if the worktrees differ from those before.
    const shown = JSON.stringify([linked, removed])
    if (shown !== noticed.get(id)) main.notifyChanged(['status'])
    noticed.set(id, shown)
  }

  const cutoffOfHistory = (id: string): number => cutoffOf(options.now(), limitsOf(registry.setting, id).days)

  /** The worktree, open, if it is recorded from now on; null if it was before, or is not to be. */
  const openIfRecorded = async (main: OpenWorkspace, worktree: LinkedWorktree): Promise<OpenWorkspace | null> => {
    const { id } = main.workspace
    const { name, folder } = worktree
    const known = registry.worktreesOf(id).find(({ root }) => root === folder)
    if (known && known.removedAt === null) return null
    const isRecorded = registry.list().some(({ root }) => root === folder)
    if (!isRecorded && !known && worktreeMode(registry.setting, id) !== 'on') return null
    try {
      await checkFolder(folder, { home: options.home, dataDir: options.dataDir, confirmed: isRecorded })
      const registered = registry.registerWorktree(folder, { main: id, name, branch: branchOf(folder) }, options.now())
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
  }

  /** Its folder is gone. What it was is counted before its history is closed. */
  const close = async (main: OpenWorkspace, worktree: string): Promise<void> => {
    const open = registry.open(worktree)
    const head = lastSeqWithFiles(open.store)
    registry.markWorktreeRemoved(worktree, options.now(), head)
    registry.setWorktreeLoss(worktree, await countLost(open, main, head))
    await registry.closeFolder(worktree)
  }

  /** The recorded folder of whose repository `folder` is in a worktree; null without one. */
  const mainAround = (folder: string): OpenWorkspace | null => {
    const top = findGitFolder(folder)?.top
    const main = siblingsOf(top ?? '').flatMap((root) => registry.list().filter((each) => each.root === root))[0]
    return main ? registry.open(main.id) : null
  }

  return {
    request,
    /** Records the worktree that contains `folder` now, if a person agreed to it: an agent begins to work in it. */
    recordAround: async (folder: string): Promise<void> => {
      const main = mainAround(folder)
      if (!main || worktreeMode(registry.setting, main.workspace.id) !== 'on') return
      request(main)
      await running.get(main.workspace.id)
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
      const failure = isTaken ? 'name-taken' : linkAgain(main, open.root, row.name)
      registry.registerWorktree(open.root, row, options.now())
      options.onListChanged()
      main.notifyChanged(['status'])
      return failure === null || gitFolderAt(open.root) !== null ? null : { code: 'no-worktree-link', why: failure }
    },
    /** Files of a removed worktree that are nowhere else, as versions of the main folder's history. */
    filesFor: async (main: OpenWorkspace, worktree: string): Promise<WorktreeFile[]> => {
      const row = registry.worktreesOf(main.workspace.id).find(({ id }) => id === worktree)
      if (!row || row.removedAt === null)
        throw new DriftlineError('UnknownTarget', `"${worktree}" is not a removed worktree of this folder.`, {
          worktree
        })
      const open = registry.open(row.id)
      return importFiles(open.store, main.store, await lostFiles(open, main, row.head ?? 0))
    },
    /** Resolves when nothing runs any more. */
    settled: async (): Promise<void> => {
      due.clear()
      await Promise.all(running.values())
    }
  }
}

/** Null once the folder is a worktree of the repository again. The files are restored: what fails now is said, not thrown. */
function linkAgain(main: OpenWorkspace, root: string, name: string): 'not-kept' | 'not-written' | null {
  try {
    return restoreWorktreeLink(main.git, root, name) ? null : 'not-kept'
  } catch (error) {
    log.warn(`${root} could not be made a worktree again`, error)
    return 'not-written'
  }
}

async function recordFiles(open: OpenWorkspace): Promise<void> {
  try {
    if (coverageState(open.store) !== 'complete') await open.takeInitialSnapshot()
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

function isGone(root: string): boolean {
  return ifReadable(() => lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) !== true
}
