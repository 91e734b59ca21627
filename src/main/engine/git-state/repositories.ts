/**
 * The repositories of one recorded folder: its own, and those of its subfolders, as scans and the watch find them. Each has a
 * keeper, and the same code keeps, lists and restores all of them.
 */
import { existsSync } from 'node:fs'
import { isWithinAny, parentOf } from '../files/paths.ts'
import { log as logger } from '../ports/log.ts'
import type { GitKeeper } from './git-keeper.ts'
import { type Position, positionNow } from './git-marks.ts'
import { createRepositoryKeepers, type KeepersOptions, type RepositoryKeepers } from './repository-keepers.ts'
import { createRepositoryList, type RepositoryList, type RepositoryListOptions } from './repository-list.ts'
import { createSubmodules, type Submodules } from './submodules.ts'
import { sweepRepositories } from './sweep-repositories.ts'

interface RepositoriesOptions extends KeepersOptions, RepositoryListOptions {
  /** Whether an absolute path belongs to another recorded folder. */
  isRecordedElsewhere(folder: string): boolean
}

export type Repositories = ReturnType<typeof createRepositories>

export function createRepositories(options: RepositoriesOptions) {
  const submodules = createSubmodules(options.root)
  const list = createRepositoryList(options, submodules)
  const keepers = createRepositoryKeepers(options, { linkAt: submodules.linkAt, onCaptured: findSubmodules })
  const { own, below } = keepers
  const listeners: (() => void)[] = []
  /** The stamp of the list that the keepers are of. */
  let listed: string | null = null

  /** Has keepers for those that are kept and those that were found. Cheap while nothing of that changed. */
  const refresh = (): void => {
    if (list.stamp() === listed) return
    keepers.setBelow(list.choose())
    listed = list.stamp()
    for (const listener of listeners) listener()
  }
  /** [GT-13] After each capture: git has written, and may have made or deleted a submodule. */
  function findSubmodules(owner: GitKeeper): void {
    if (!submodules.find(owner, () => gitDirsOf(keepers.all()))) return
    listed = null
    refresh()
  }
  const all = (): readonly GitKeeper[] => {
    refresh()
    return keepers.all()
  }
  return {
    /** That of the recorded folder itself. */
    own,
    /** The own one first. */
    all,
    /** Null if none is kept at the path of a subfolder. */
    at: (path: string): GitKeeper | null => {
      if (path === '') return own
      refresh()
      return below.get(path) ?? null
    },
    isOn: options.isOn,
    /** [GT-12] As `unkeptEntries`, and the git folders of submodules that nobody keeps. */
    unkept: (): string[] => {
      refresh()
      return [...unkeptEntries(options, list, keepers), ...unkeptSubmodules(options, submodules, keepers)]
    },
    refresh,
    /** Calls back when repositories of subfolders come or go. */
    onListed: (listener: () => void): void => void listeners.push(listener),
    /** At a position that was just marked. Never throws. */
    capture: (): void => {
      own.capture()
      try {
        refresh()
      } catch (error) {
        logger.error(options.root, error)
      }
      if (below.size === 0) return
      const position: Position = positionNow(options.store)
      for (const keeper of below.values()) keeper.captureMoved(position)
    },
    /** As `sweepRepositories`. */
    sweep: async (before: number, budget: number): Promise<void> => {
      refresh()
      await sweepRepositories(keepers, list, before, budget)
    },
    close: (): void => {
      for (const keeper of keepers.all()) keeper.close()
    }
  }
}

function gitDirsOf(keepers: Iterable<GitKeeper>): Set<string | null> {
  return new Set([...keepers].map((keeper) => keeper.gitDir()))
}

/** The `.git` of each subfolder that is not kept now. A `.git` that is no repository, as one without HEAD, is not. */
function unkeptEntries(
  { isOn, boundaries }: RepositoriesOptions,
  list: RepositoryList,
  { below }: RepositoryKeepers
): string[] {
  const kept = isOn() ? below : new Map<string, GitKeeper>()
  const isKept = (path: string): boolean => {
    const keeper = kept.get(path)
    // First what costs least: there may be a hundred.
    return keeper !== undefined && (keeper.hasStates() || keeper.gitDir() !== null)
  }
  return list.found().filter((path) => !isWithinAny(path, boundaries) && !isKept(parentOf(path)))
}

/** The git folders of submodules that are kept neither here nor by another recorded folder. */
function unkeptSubmodules(
  { isRecordedElsewhere }: RepositoriesOptions,
  submodules: Submodules,
  { below }: RepositoryKeepers
): string[] {
  const elsewhere = submodules.elsewhere()
  if (elsewhere.length === 0) return []
  const kept = gitDirsOf(below.values())
  return elsewhere
    .filter(({ gitDir, top }) => existsSync(gitDir) && !kept.has(gitDir) && (top === null || !isRecordedElsewhere(top)))
    .map(({ path }) => path)
}
