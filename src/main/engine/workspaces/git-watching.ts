/**
 * Keeps and watches the repositories of a folder while it is watched: its own, and those of subfolders, which are captured one
 * after the other.
 */
import type { GitKeeper } from '../git-state/git-keeper.ts'
import { type GitWatch, watchGit } from '../git-state/git-watch.ts'
import { lostRepository } from '../git-state/lost.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import type { WatchedFolder } from './watched-folder.ts'
import type { OpenWorkspace } from './workspace.ts'

interface GitWatchingOptions {
  readonly folder: WatchedFolder
  readonly clock: Clock
  /** The folder's own repository, too. */
  readonly watchesGit: boolean
  /** Git wrote in the folder's own repository, or the folder vanished or is back. */
  onGitChange(): void
}

/** Git's state is captured this long after a folder was opened, ms: the command that started the recorder has its answer then. */
const FIRST_GIT_MS = 1000
/** The most folders of refs that are watched of a subfolder's repository, and the most worktrees. */
const MOST_FOLDERS_BELOW = 20

/** [GT-10] That a repository is gone or back is reported. */
export function createGitWatching(open: OpenWorkspace, options: GitWatchingOptions) {
  const { repositories } = open
  const { folder, clock } = options
  const watched = new Map<GitKeeper, GitWatch>()
  const states = createLostStates(open)
  const first = createTurns(clock, function* (keeper: GitKeeper) {
    yield* keeper.captureInSteps()
    states.read(keeper)
  })
  let closed = false
  /** Until the first one is captured; what is found later is captured at once. */
  let delay = FIRST_GIT_MS

  const watch = (keeper: GitKeeper): GitWatch => {
    const isOwn = keeper.path === ''
    return watchGit({
      root: keeper.root,
      gitDirOf: keeper.gitDir,
      refFolders: keeper.refFolders,
      clock,
      ...(isOwn ? {} : { mostFolders: MOST_FOLDERS_BELOW }),
      onChange: (reported) => {
        keeper.captureRefs(reported)
        if (isOwn) options.onGitChange()
        if (states.read(keeper)) open.notifyChanged(['status'])
      }
    })
  }
  const stop = (keeper: GitKeeper): void => {
    watched.get(keeper)?.close()
    watched.delete(keeper)
    // It is closed: a capture would open its database again.
    first.remove(keeper)
    states.forget(keeper)
  }
  /** Watches the repositories that there are now. */
  const align = (): void => {
    if (closed) return
    const all = folder.watch ? repositories.all() : []
    const wanted = all.filter((keeper) => options.watchesGit || keeper.path !== '')
    for (const keeper of [...watched.keys()]) if (!wanted.includes(keeper)) stop(keeper)
    for (const keeper of wanted) {
      if (watched.has(keeper)) continue
      watched.set(keeper, watch(keeper))
      first.add(keeper, delay)
    }
  }
  align()
  delay = 0
  repositories.onListed(align)
  return {
    align,
    /** [GT-1] Of what is lost before the first position, or was written while nothing was watching. */
    captureFirst: (): void => {
      // The main folder keeps that of its worktrees.
      for (const keeper of repositories.all()) if (!keeper.isWorktree()) first.add(keeper, 0)
      first.next()
    },
    close: (): void => {
      closed = true
      first.close()
      for (const keeper of [...watched.keys()]) stop(keeper)
    }
  }
}

/** Whether each repository is lost, as it was read last. */
function createLostStates({ root }: OpenWorkspace) {
  const states = new Map<GitKeeper, ReturnType<typeof lostRepository>>()
  return {
    forget: (keeper: GitKeeper): void => void states.delete(keeper),
    /** Returns whether the repository is gone or back since the last call. Called by timers: it must not throw. */
    read: (keeper: GitKeeper): boolean => {
      const before = states.get(keeper)
      try {
        states.set(keeper, lostRepository(keeper))
      } catch (error) {
        log.error(root, error)
      }
      return states.get(keeper) !== before
    }
  }
}

/** So long may one turn take, ms; a repository of usual size takes one, whatever else the computer does. */
const TURN_MS = 50
const LEAST_STEPS = 8

/** Works through its entries one by one, each in steps: it may take long, and other work gets its turn between them. */
function createTurns<T>(clock: Clock, work: (entry: T) => Iterator<void>) {
  /** Null before the first step. */
  const waiting = new Map<T, Iterator<void> | null>()
  let cancel: (() => void) | null = null
  const next = (): void => {
    cancel?.()
    cancel = null
    const [first] = waiting
    if (first === undefined) return
    const [entry, begun] = first
    const steps = begun ?? work(entry)
    waiting.set(entry, steps)
    const end = clock.now() + TURN_MS
    let isDone = false
    for (let n = 0; !isDone && (n < LEAST_STEPS || clock.now() < end); n++) isDone = steps.next().done === true
    if (isDone) waiting.delete(entry)
    if (waiting.size > 0) cancel = clock.setTimeout(next, 0)
  }
  return {
    /** `ms`: how long the first one waits. */
    add: (entry: T, ms: number): void => {
      if (!waiting.has(entry)) waiting.set(entry, null)
      cancel ??= clock.setTimeout(next, ms)
    },
    remove: (entry: T): void => void waiting.delete(entry),
    /** Begins at once. */
    next,
    close: (): void => {
      waiting.clear()
      cancel?.()
    }
  }
}
