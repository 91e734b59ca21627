/** The keepers of the repositories of one recorded folder: its own, and those of its subfolders. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../files/remove.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../store/open-store.ts'
import { createGitKeeper, type GitKeeper } from './git-keeper.ts'
import { placeBelow, placeWithin } from './git-place.ts'

export interface KeepersOptions {
  /** The recorded folder. */
  readonly root: string
  /** The folder of this history, and that of the repository of `root`: of a worktree it is the main folder's. */
  readonly historyDir: string
  mainHistoryDir(): string
  readonly store: Store
  isOn(): boolean
  readonly clock: Clock
}

export type RepositoryKeepers = ReturnType<typeof createRepositoryKeepers>

/** `linkAt`: what git would write into the file `.git` at a path; `onCaptured`: after a keeper stored a state. */
export function createRepositoryKeepers(
  options: KeepersOptions,
  { linkAt, onCaptured }: { linkAt(path: string): Buffer | null; onCaptured(keeper: GitKeeper): void }
) {
  const { root } = options
  const own: GitKeeper = createGitKeeper({
    ...options,
    path: '',
    expectedLink: () => null,
    onCaptured: () => onCaptured(own),
    place: () => 'folder',
    // Wherever a person put it.
    reach: (target) => (existsSync(target) ? 'folder' : 'absent'),
    keptIn: () => join(options.mainHistoryDir(), 'git'),
    isWorktree: () => options.mainHistoryDir() !== options.historyDir
  })
  const below = new Map<string, GitKeeper>()

  const keptIn = (path: string): string =>
    join(options.historyDir, 'git', 'below', createHash('sha256').update(path).digest('hex').slice(0, 32))
  const create = (path: string): GitKeeper => {
    const keeper: GitKeeper = createGitKeeper({
      ...options,
      expectedLink: () => linkAt(path),
      onCaptured: () => onCaptured(keeper),
      root: join(root, path),
      path,
      place: () => placeBelow(root, path),
      reach: (target) => placeWithin([root, own.gitDir() ?? root], target),
      keptIn: () => keptIn(path),
      isWorktree: () => false
    })
    return keeper
  }
  const remove = (path: string): void => {
    below.get(path)?.close()
    below.delete(path)
  }
  return {
    own,
    /** Those of subfolders, by path. */
    below: below as ReadonlyMap<string, GitKeeper>,
    /** The own one first. */
    all: (): GitKeeper[] => [own, ...below.values()],
    /** Has a keeper for each of these subfolders, and for no other. */
    setBelow: (paths: readonly string[]): void => {
      const wanted = new Set(paths)
      for (const path of [...below.keys()]) if (!wanted.has(path)) remove(path)
      for (const path of wanted) if (!below.has(path)) below.set(path, create(path))
    },
    /** One that is none of `below`, for a subfolder that is listed no more. Its caller closes it. */
    create,
    /** Deletes the kept copies of a subfolder's repository. */
    deleteKept: (keeper: GitKeeper): void => {
      remove(keeper.path)
      keeper.close()
      removeTree(keptIn(keeper.path))
    }
  }
}
