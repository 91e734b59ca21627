/**
 * Keeps git's own state of one repository in a recorded folder: at each start and end of runs and turns, pin and restore it compares the
 * stats of a few dozen files, stores those that changed, and links new objects (git-captures.ts). The log of files has no part in it.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { ifReadable } from '../files/fs-errors.ts'
import { removeTree } from '../files/remove.ts'
import type { Clock } from '../ports/clock.ts'
import { deleteGitStatesBefore, type GitStore, openGitStore } from '../store/git-store.ts'
import { transact } from '../store/sql.ts'
import { createCaptures } from './git-captures.ts'
import { createGitPlace, type GitPlaceOptions } from './git-place.ts'
import type { KeptObjects } from './kept-objects.ts'
import { createPositionCaptures, type PositionCaptureOptions } from './position-captures.ts'

interface GitKeeperOptions extends GitPlaceOptions, PositionCaptureOptions {
  /** The folder with the kept copies; that of a worktree is in the history of the main folder. Asked before each use. */
  keptIn(): string
  /** Whether it is in the history of the main folder of this worktree. */
  isWorktree(): boolean
  readonly clock: Clock
}

export type GitKeeper = ReturnType<typeof createGitKeeper>

/** Opens git.db only once there is a repository, or a kept state. */
export function createGitKeeper(options: GitKeeperOptions) {
  const { root, path } = options
  const files = createKeeperFiles(options)
  const place = createGitPlace(options, files.openOrNull)
  const { gitDir } = place
  const captures = createCaptures({ ...options, ...place }, files)
  const { settle, ...positions } = createPositionCaptures(options, captures, files.open)

  return {
    root,
    path,
    /** The folder with refs and objects; null while there is no repository. */
    gitDir,
    place: options.place,
    reach: options.reach,
    /** Of a repository whose `.git` is a file: its bytes, or that nothing is there. */
    link: place.link,
    isLinked: place.isLinked,
    target: place.target,
    isWorktree: options.isWorktree,
    get folder() {
      return files.folder()
    },
    get kept() {
      return files.kept()
    },
    isOn: options.isOn,
    clock: options.clock,
    now: () => options.clock.now(),
    /** The states; null while none is kept. */
    store: files.open,
    ...positions,
    /** Whether nothing changed since the last complete capture, as far as a few stats show. */
    isUnmoved: () => captures.isUnmoved(),
    /** As `RefFiles.folders`. */
    refFolders: captures.refFolders,
    /** Deletes what git deleted or replaced before `before` (ms UTC), and what is held twice. Returns the rest. */
    sweep: async (before: number): Promise<KeptObjects | null> => {
      const store = files.open()
      if (!store) return null
      transact(store, (tx) => deleteGitStatesBefore(tx, before))
      const now = gitDir()
      evictAsides(files.folder(), before)
      if (now !== null) await captures.dropHeldTwice(now)
      return { kept: files.kept(), objects: now === null ? null : join(now, 'objects') }
    },
    /** Whether any state is kept. */
    hasStates: files.exist,
    /** Whether a repository that a restore or its undo replaced is still there. */
    hasAsides: () => asidesIn(files.folder()).length > 0,
    close: (): void => {
      settle()
      files.close()
    }
  }
}

/** Where the kept copies are. */
function createKeeperFiles({ keptIn: folder }: GitKeeperOptions) {
  let opened: GitStore | null = null
  const kept = (): string => join(folder(), 'objects')
  const exist = (): boolean => opened !== null || existsSync(join(folder(), 'git.db'))
  const create = (): GitStore => {
    if (opened) return opened
    mkdirSync(kept(), { recursive: true, mode: 0o700 })
    opened = openGitStore(join(folder(), 'git.db'))
    return opened
  }
  const open = (): GitStore | null => (exist() ? create() : null)
  return {
    folder,
    kept,
    exist,
    open,
    create,
    /** The states; null also where they are damaged. */
    openOrNull: (): GitStore | null => {
      try {
        return open()
      } catch (error) {
        if (error instanceof DriftlineError) return null
        throw error
      }
    },
    close: (): void => {
      opened?.close()
      opened = null
    }
  }
}

/** Repositories that a restore or its undo replaced. */
function evictAsides(folder: string, before: number): void {
  for (const { name, at } of asidesIn(folder)) if (at < before) removeTree(join(folder, name))
}

/** With their marks; `at`: when they were replaced, ms UTC. */
function asidesIn(folder: string): { readonly name: string; readonly at: number }[] {
  return (ifReadable(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const at = /^replaced-(\d+)-/.exec(name)?.[1]
    return at === undefined ? [] : [{ name, at: Number(at) }]
  })
}
