/**
 * [WT-2] Records the worktrees of recorded repositories by themselves, once a person agreed to it: from the moment git has
 * written them until they are removed. Their histories then stay for the retention time.
 */
import { findGitFolder } from '../git/git-folder.ts'
import { type LinkedWorktree, linkedWorktrees, siblingsOf } from '../git/git-worktrees.ts'
import { log } from '../ports/log.ts'
import { createRepeatedWork, type RepeatedWork } from '../ports/repeated-work.ts'
import { createBornWorktrees, worktreeMode } from './born-worktrees.ts'
import type { Registry } from './registry.ts'
import { createRemovedWorktrees } from './removed-worktrees.ts'
import type { OpenWorkspace } from './workspace.ts'

interface Options {
  readonly dataDir: string
  readonly home: string
  now(): number
  /** The list of folders changed. */
  onListChanged(): void
}

interface Alignment {
  main: OpenWorkspace
  readonly work: RepeatedWork
}

export type RecordedWorktrees = ReturnType<typeof createRecordedWorktrees>

export function createRecordedWorktrees(registry: Registry, options: Options) {
  const born = createBornWorktrees(registry, options)
  const removed = createRemovedWorktrees(registry, options)
  /** Compares git's worktrees with the recorded ones, by the main folder of their repository. */
  const alignments = new Map<string, Alignment>()
  /** What clients were last notified of, by workspace. */
  const noticed = new Map<string, string>()
  let isClosed = false

  /** Aligns soon, one repository once at a time; resolves when that is done. */
  const request = (main: OpenWorkspace): Promise<void> => {
    if (isClosed) return Promise.resolve()
    const { id } = main.workspace
    const alignment: Alignment = alignments.get(id) ?? {
      main,
      work: createRepeatedWork(
        ({ isRequested }) => align(alignment.main, isRequested),
        (error) => log.error(`the worktrees of ${main.root} could not be recorded`, error)
      )
    }
    // The folder may have been closed and opened again.
    alignment.main = main
    alignments.set(id, alignment)
    return alignment.work.request()
  }

  const align = async (main: OpenWorkspace, isRequested: () => boolean): Promise<void> => {
    const { id } = main.workspace
    const opened = await openNew(main, [])
    // All are watched before the first one is copied, and those that git makes meanwhile before the next one.
    for (const open of opened) {
      await born.record(main, open)
      if (isRequested()) opened.push(...(await openNew(main, opened)))
    }
    const gone = await removed.closeGone(main)
    const expired = await removed.deleteExpired(main)
    if (opened.length + gone.length + expired > 0) options.onListChanged()
    // Whatever git command it was: clients are notified only if the worktrees differ from those before.
    const shown = JSON.stringify([linkedTo(main), gone])
    if (shown !== noticed.get(id)) main.notifyChanged(['status'])
    noticed.set(id, shown)
  }
  /** Those that are watched from now on, without the `known` ones. */
  const openNew = async (main: OpenWorkspace, known: readonly OpenWorkspace[]): Promise<OpenWorkspace[]> => {
    const opened: OpenWorkspace[] = []
    const recorded = new Map(registry.worktreesOf(main.workspace.id).map((row) => [row.root, row]))
    for (const worktree of linkedTo(main).filter(({ isComplete }) => isComplete)) {
      const open = await born.open(main, worktree, recorded.get(worktree.folder))
      if (open && !known.includes(open)) opened.push(open)
    }
    return opened
  }

  /** The recorded folder of whose repository `folder` is in a worktree; null without one. */
  const mainAround = (folder: string): OpenWorkspace | null => {
    const top = findGitFolder(folder)?.top
    const recorded = new Map(registry.list().map((each) => [each.root, each]))
    for (const root of siblingsOf(top ?? '')) {
      const main = recorded.get(root)
      if (main) return registry.open(main.id)
    }
    return null
  }

  /** The folder whose repository the worktree belongs to; any other folder itself. */
  const mainOf = (open: OpenWorkspace): OpenWorkspace => {
    const main = registry.mainOfWorktree(open.workspace.id)
    return main === null ? open : registry.open(main)
  }

  return {
    /** Compares git's worktrees of the folder's repository with the recorded ones, soon. */
    request: (open: OpenWorkspace): void => {
      if (!isClosed) void request(mainOf(open))
    },
    /** Records the worktree that contains `folder` now, if a person agreed to it: an agent begins to work in it. */
    recordAround: async (folder: string): Promise<void> => {
      const main = mainAround(folder)
      if (!main || worktreeMode(registry.setting, main.workspace.id) !== 'on') return
      await request(main)
    },
    revive: removed.revive,
    filesFor: removed.filesFor,
    /** Starts nothing more; resolves when nothing runs any more. */
    close: async (): Promise<void> => {
      isClosed = true
      await Promise.all([...alignments.values()].map(({ work }) => work.close()))
      await born.settled()
    }
  }
}

function linkedTo(main: OpenWorkspace): LinkedWorktree[] {
  return linkedWorktrees(main.root).filter(({ folder }) => folder !== main.root)
}
