/**
 * The repositories of one recorded folder: its own, and those of its subfolders, as scans and the watch find them. Each has a
 * keeper, and the same code keeps, lists and restores all of them.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { isWithinAny, parentOf } from '../files/paths.ts'
import type { Clock } from '../ports/clock.ts'
import { log as logger } from '../ports/log.ts'
import { lastStateWith } from '../store/git-store.ts'
import { readMeta, readPathList, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import { createGitKeeper, type GitKeeper } from './git-keeper.ts'
import { type Position, positionNow } from './git-marks.ts'
import { type Place, placeBelow, placeWithin } from './git-place.ts'
import { evictObjects, type KeptObjects } from './kept-objects.ts'
import { createSubmodules } from './submodules.ts'

interface RepositoriesOptions {
  /** The recorded folder. */
  readonly root: string
  /** The folder of this history, and that of the repository of `root`: of a worktree it is the main folder's. */
  readonly historyDir: string
  mainHistoryDir(): string
  readonly store: Store
  isOn(): boolean
  readonly clock: Clock
  /** Folders inside with a history of their own. */
  readonly boundaries: ReadonlySet<string>
  /** Whether an absolute path belongs to another recorded folder. */
  isRecordedElsewhere(folder: string): boolean
}

export type Repositories = ReturnType<typeof createRepositories>

/** Repositories of subfolders that are kept: each costs some watches, and some stats at each position. */
const MOST_BELOW = 100
/** Lost ones that are listed and restored beside them. */
const MOST_LOST = 100
/**
 * Keys of the history: paths of `.git` that are there, and of the subfolders whose repositories are kept: lost ones, those lost
 * last at their end, then those that are there.
 */
const FOUND = 'repositories'
const KEPT = 'kept_repositories'

export function createRepositories(options: RepositoriesOptions) {
  const { root, store, boundaries } = options
  const submodules = createSubmodules(root)
  const own: GitKeeper = createGitKeeper({
    ...options,
    path: '',
    expectedLink: () => null,
    onCaptured: () => findSubmodules(own),
    place: () => 'folder',
    // Wherever a person put it.
    reach: placeOfOwn,
    keptIn: () => join(options.mainHistoryDir(), 'git'),
    isWorktree: () => options.mainHistoryDir() !== options.historyDir
  })
  const below = new Map<string, GitKeeper>()
  const listeners: (() => void)[] = []
  let listed: string | null = null

  const keptIn = (path: string): string =>
    join(options.historyDir, 'git', 'below', createHash('sha256').update(path).digest('hex').slice(0, 32))
  const keeperAt = (path: string): GitKeeper => {
    const keeper: GitKeeper = createGitKeeper({
      ...options,
      expectedLink: () => submodules.linkAt(path),
      onCaptured: () => findSubmodules(keeper),
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
  /** In the list of those that are kept. */
  const writeKept = (change: (kept: readonly string[]) => readonly string[]): void =>
    transact(store, (tx) => writeMeta(tx, KEPT, JSON.stringify(change(readPathList(tx, KEPT)))))

  /** Those that are kept and those that were found. Cheap while nothing of that changed. */
  const refresh = (): void => {
    const state = (): string =>
      [readMeta(store, FOUND), readMeta(store, KEPT), ...boundaries, options.isOn()].join('\n')
    if (state() === listed) return
    const kept = readPathList(store, KEPT)
    const unlinked = submodules.paths()
    const found = options.isOn() ? [...readPathList(store, FOUND).map(parentOf), ...unlinked] : []
    const { there, lost } = chooseBelow(options, kept, found, new Set(unlinked))
    const inOrder = [...kept.filter((path) => !there.has(path)), ...there]
    if (JSON.stringify(inOrder) !== JSON.stringify(kept)) writeKept(() => inOrder)
    const wanted = new Set([...there, ...lost].sort())
    for (const path of [...below.keys()]) if (!wanted.has(path)) remove(path)
    for (const path of wanted) if (!below.has(path)) below.set(path, keeperAt(path))
    listed = state()
    for (const listener of listeners) listener()
  }
  /** [GT-13] After each capture: git has written, and may have made or deleted a submodule. */
  const findSubmodules = (owner: GitKeeper): void => {
    const kept = () => new Set([own, ...below.values()].map((keeper) => keeper.gitDir()))
    if (!submodules.find(owner, kept)) return
    listed = null
    refresh()
  }
  const unkeptSubmodules = (): string[] => {
    const elsewhere = submodules.elsewhere()
    if (elsewhere.length === 0) return []
    const kept = new Set([...below.values()].map((keeper) => keeper.gitDir()))
    const isUnkept = ({ gitDir, top }: (typeof elsewhere)[number]): boolean =>
      existsSync(gitDir) && !kept.has(gitDir) && (top === null || !options.isRecordedElsewhere(top))
    return elsewhere.filter(isUnkept).map(({ path }) => path)
  }
  /** Where nothing is kept any more: the repository went longer ago than retention reaches, or there never was one. */
  const forget = (keeper: GitKeeper): void => {
    const states = keeper.store()
    if (keeper.gitDir() !== null || keeper.hasAsides() || (states && lastStateWith(states, 'HEAD') !== null)) return
    remove(keeper.path)
    keeper.close()
    // In this order: what a killed sweep leaves is found by the next one.
    rmSync(keptIn(keeper.path), { recursive: true, force: true })
    writeKept((kept) => kept.filter((path) => path !== keeper.path))
  }
  /** Those of which something is kept, also where that is neither captured nor listed any more. */
  const sweep = async (before: number, budget: number): Promise<void> => {
    const current = all()
    const others = readPathList(store, KEPT)
      .filter((path) => !below.has(path))
      .map(keeperAt)
    const kept: KeptObjects[] = []
    const failures: unknown[] = []
    for (const keeper of [...current, ...others])
      try {
        const objects = await keeper.sweep(before)
        if (objects) kept.push(objects)
        if (keeper.path !== '') forget(keeper)
      } catch (error) {
        failures.push(error)
      } finally {
        // Tests of a project may make and delete thousands: their databases are not open at the same time.
        if (keeper !== own && below.get(keeper.path) !== keeper) keeper.close()
      }
    evictObjects(kept, before, budget)
    if (failures.length > 0) throw failures[0]
  }

  const all = (): readonly GitKeeper[] => {
    refresh()
    return [own, ...below.values()]
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
    /**
     * [GT-12] The `.git` of each subfolder that is not kept now, and the git folders of submodules that nobody keeps. A `.git` that
     * is no repository, as one without HEAD, is not.
     */
    unkept: (): string[] => {
      refresh()
      const isOn = options.isOn()
      const isKept = (path: string): boolean => {
        const keeper = isOn ? below.get(path) : undefined
        // First what costs least: there may be a hundred.
        return keeper !== undefined && (keeper.hasStates() || keeper.gitDir() !== null)
      }
      const entries = readPathList(store, FOUND).filter(
        (path) => !isWithinAny(path, boundaries) && !isKept(parentOf(path))
      )
      return [...entries, ...unkeptSubmodules()]
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
        logger.error(root, error)
      }
      if (below.size === 0) return
      const position: Position = positionNow(store)
      for (const keeper of below.values()) keeper.captureMoved(position)
    },
    /** Deletes what git deleted or replaced before `before` (ms UTC), and the oldest objects beyond `budget` bytes. */
    sweep,
    close: (): void => {
      for (const keeper of [own, ...below.values()]) keeper.close()
    }
  }
}

/** Those that are there, up to their bound, and the newest of those that are lost. */
function chooseBelow(
  { root, boundaries }: RepositoriesOptions,
  kept: readonly string[],
  found: readonly string[],
  unlinked: ReadonlySet<string>
): { readonly there: ReadonlySet<string>; readonly lost: ReadonlySet<string> } {
  const isOwn = (path: string): boolean => !isWithinAny(path, boundaries)
  const isThere = (path: string): boolean =>
    unlinked.has(path) || ifReadable(() => lstatSync(join(root, path, '.git'), { throwIfNoEntry: false })) != null
  const ownKept = kept.filter(isOwn)
  const { present = [], absent = [] } = Object.groupBy(ownKept, (path) => (isThere(path) ? 'present' : 'absent'))
  const there = new Set(present.slice(0, MOST_BELOW))
  for (const path of found) {
    if (there.size >= MOST_BELOW) break
    if (isOwn(path) && isThere(path)) there.add(path)
  }
  return { there, lost: new Set(absent.slice(-MOST_LOST)) }
}

function placeOfOwn(target: string): Place {
  return existsSync(target) ? 'folder' : 'absent'
}
