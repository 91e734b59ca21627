/**
 * Keeps git's own state of one repository in a recorded folder: at each start and end of runs and turns, pin and restore it compares the
 * stats of a few dozen files, stores those that changed, and links new objects. The log of files has no part in it.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { ifReadable } from '../files/fs-errors.ts'
import type { Clock } from '../ports/clock.ts'
import { log as logger } from '../ports/log.ts'
import { deleteGitStatesBefore, type GitStore, openGitStore } from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import { createGitMarks, type Position } from './git-marks.ts'
import { createGitPlace, type GitPlaceOptions } from './git-place.ts'
import { dropHeldTwice } from './held-objects.ts'
import { type KeptObjects, keepObjects } from './kept-objects.ts'
import { createRefFiles, type ReportedNames } from './ref-files.ts'
import { listInSteps, listStateFiles, probeState, STEP, type StateFile, type StateFiles } from './state-files.ts'
import { createStateWriter, TableGone } from './state-writer.ts'

interface GitKeeperOptions extends GitPlaceOptions {
  /** The folder with the kept copies; that of a worktree is in the history of the main folder. Asked before each use. */
  keptIn(): string
  /** Whether it is in the history of the main folder of this worktree. */
  isWorktree(): boolean
  readonly store: Store
  isOn(): boolean
  readonly clock: Clock
}

export type GitKeeper = ReturnType<typeof createGitKeeper>

const ANY_FILE = /^/
const IS_REF_OR_LOG = /^(?:refs|logs)\//
/** What names commits, the files that set a repository up, and a worktree's own but its index: small, whatever the repository's size. */
const IS_SMALL =
  /^(?:HEAD|packed-refs|config(?:\.worktree)?|hooks\/.*|info\/.*|refs\/.*|reftable\/.*|logs\/refs\/stash|worktrees\/[^/]+\/(?!index$|logs\/).*)$/

/** Opens git.db only once there is a repository, or a kept state. */
export function createGitKeeper(options: GitKeeperOptions) {
  const { root, path } = options
  const files = createKeeperFiles(options)
  const place = createGitPlace(options, files.openOrNull)
  const { gitDir } = place
  const captures = createCaptures({ ...options, ...place }, files)
  const marks = createGitMarks(options.store, () => files.open(false))

  const captureNow = (): void => {
    marks.settle()
    const store = captures.all()
    if (store) marks.write(store)
  }
  /** A state that cannot be kept must not stop a run. It is in the log of the recorder. */
  const attempt = (work: () => void): void => {
    try {
      if (options.isOn()) work()
    } catch (error) {
      captures.forget()
      logger.error(root, error)
    }
  }

  const capture = (): void => {
    attempt(captureNow)
    marks.giveUp()
  }

  return {
    root,
    path,
    /** The folder with refs and objects; null while there is no repository. */
    gitDir,
    place: options.place,
    reach: options.reach,
    /** Of a repository whose `.git` is a file: its bytes, or that nothing is there. */
    link: place.link,
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
    store: () => files.open(false),
    /** Like `capture`, for a caller that needs the present state. Throws what kept it from being stored. */
    captureNow: (): void => {
      if (options.isOn()) captureNow()
    },
    /** At a position that was just marked. Never throws. */
    capture,
    /** The same in steps of some milliseconds, whatever the number of refs: between them nothing is incomplete for a reader. */
    captureInSteps: function* (): Generator<void> {
      const parts = captures.storeInParts()
      for (let isMore = options.isOn(); isMore; ) {
        attempt(() => {
          isMore = false
          isMore = !parts.next().done
        })
        yield
      }
      capture()
    },
    /** The same, at the cost of a few stats while nothing changed. What it may miss, the watch reports. Never throws. */
    captureMoved: (position: Position): void => {
      let isSame = false
      attempt(() => {
        isSame = captures.isUnmoved()
        if (isSame) marks.wait(position)
        else captureNow()
      })
      if (!isSame) marks.giveUp()
    },
    /** Whether nothing changed since the last complete capture, as far as a few stats show. */
    isUnmoved: () => captures.isUnmoved(),
    /** [GT-6] The same for refs and objects alone, whenever git has written. */
    captureRefs: (reported: ReportedNames): void => {
      // What is reported while it is off is not read later.
      if (!options.isOn()) captures.forget()
      attempt(() => {
        marks.settle()
        captures.refs(reported)
      })
    },
    /** As `RefFiles.folders`. */
    refFolders: captures.refFolders,
    /** Deletes what git deleted or replaced before `before` (ms UTC), and what is held twice. Returns the rest. */
    sweep: async (before: number): Promise<KeptObjects | null> => {
      const store = files.open(false)
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
      attempt(marks.settle)
      files.close()
    }
  }
}

/** Where the kept copies are. */
function createKeeperFiles({ keptIn: folder }: GitKeeperOptions) {
  let opened: GitStore | null = null
  const kept = (): string => join(folder(), 'objects')
  const exist = (): boolean => opened !== null || existsSync(join(folder(), 'git.db'))
  const open = (create: boolean): GitStore | null => {
    if (opened || (!create && !exist())) return opened
    mkdirSync(kept(), { recursive: true, mode: 0o700 })
    opened = openGitStore(join(folder(), 'git.db'))
    return opened
  }
  return {
    folder,
    kept,
    exist,
    open,
    /** The states; null also where they are damaged. */
    openOrNull: (): GitStore | null => {
      try {
        return open(false)
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

interface Listed extends StateFiles {
  readonly gitDir: string
  readonly probe: string | null
  /** Whether `.git` was there. */
  readonly isLinked: boolean
}

type CaptureOptions = GitKeeperOptions & ReturnType<typeof createGitPlace>

function createCaptures(options: CaptureOptions, files: ReturnType<typeof createKeeperFiles>) {
  const writer = createStateWriter(options)
  const refFiles = createRefFiles()
  const objectTimes = new Map<string, bigint>()
  let newest: Listed | null = null
  /** At the last complete capture; null if what changes now may look the same. */
  let quickStamp: string | null = null

  const forget = (): void => {
    newest = null
    quickStamp = null
    writer.forget()
    refFiles.forget()
    objectTimes.clear()
  }
  /** After the refs: git writes objects first. */
  const keepNewObjects = (gitDir: string): boolean => keepObjects(join(gitDir, 'objects'), files.kept(), objectTimes)

  /** Only what git packs anew makes kept objects superfluous. */
  let packTime: bigint | undefined
  const dropTwice = async (gitDir: string): Promise<void> => {
    const now = lstatSync(join(gitDir, 'objects/pack'), { bigint: true, throwIfNoEntry: false })?.mtimeNs
    if (now === packTime) return
    keepNewObjects(gitDir)
    await dropHeldTwice(files.kept(), gitDir)
    packTime = now
  }

  const stampNow = (now?: number): string | null => {
    const stamp = quickStampAt(options.gitDir(), newest, now)
    return stamp && `${stamp} ${options.link() !== 'absent'}`
  }
  /** Compares all files of state, and returns the store; null without a repository or a kept state. Throws typed errors. */
  const all = (): GitStore | null => {
    const gitDir = options.gitDir()
    const before = newest
    const stamp = stampNow()
    // Of a worktree that is gone, the repository is still there.
    if (gitDir === null && options.isWorktree()) return null
    const store = files.open(gitDir !== null)
    if (!store) return null
    const isLinked = options.link() !== 'absent'
    const isSame = gitDir !== null && newest?.gitDir === gitDir && newest.isLinked === isLinked
    const isUnchanged = isSame && newest?.probe != null && newest.probe === probeState(gitDir, newest)
    if (!isSame) forget()
    if (!isUnchanged) newest = storeAll(store, gitDir, isLinked)
    const isComplete = gitDir === null || keepNewObjects(gitDir)
    // A stamp has the folders of refs that were listed before.
    quickStamp = isComplete && newest === before ? stamp : null
    return store
  }
  const storeAll = (store: GitStore, gitDir: string | null, isLinked: boolean): Listed | null =>
    untilRead(() => storeListed(store, gitDir, isLinked))
  const storeListed = (store: GitStore, gitDir: string | null, isLinked: boolean): Listed | null => {
    const started = Date.now()
    const found = gitDir === null ? null : listStateFiles(gitDir)
    // Before the files are read: what is written meanwhile differs from this probe, or makes it too young.
    const probe = gitDir === null || !found ? null : probeState(gitDir, found, started)
    write(store, gitDir, found?.files ?? [], null)
    return gitDir !== null && found ? { ...found, gitDir, probe, isLinked } : null
  }
  const write = (store: GitStore, gitDir: string | null, some: readonly StateFile[], gone: readonly string[] | null) =>
    transact(store, (tx) => writer.write(tx, { gitDir, files: some, gone, among: ANY_FILE }))
  /** The refs and reflogs, of which a repository may have any number; what a capture leaves is then little. */
  function* storeInParts(): Generator<void> {
    const gitDir = options.gitDir()
    const store = gitDir === null ? null : files.open(true)
    if (gitDir === null || !store || newest !== null) return
    const [started, isLinked] = [Date.now(), options.link() !== 'absent']
    const found = yield* listInSteps(gitDir)
    const probe = probeState(gitDir, found, started)
    const many = found.files.filter(({ path }) => IS_REF_OR_LOG.test(path))
    // A position may have captured all meanwhile.
    const isCurrent = (): boolean => newest === null && options.gitDir() === gitDir && files.open(false) === store
    for (let at = 0; at < many.length && isCurrent(); at += STEP) {
      write(store, gitDir, many.slice(at, at + STEP), [])
      yield
    }
    if (!isCurrent()) return
    write(store, gitDir, found.files, null)
    newest = { ...found, gitDir, probe, isLinked }
  }

  return {
    forget,
    all,
    storeInParts,
    isUnmoved: (): boolean => quickStamp !== null && quickStamp === stampNow(Number.MAX_SAFE_INTEGER),
    /** Refs and objects alone, as they are between two positions: each git command costs one such capture. */
    refs: (reported: ReportedNames): void => {
      quickStamp = null
      const gitDir = options.gitDir()
      const store = gitDir === null ? null : files.open(true)
      if (gitDir === null || !store) return
      untilRead(() => {
        const found = refFiles.changes(gitDir, reported)
        const refs = found.files.filter(({ path }) => IS_SMALL.test(path))
        transact(store, (tx) => writer.write(tx, { gitDir, files: refs, gone: found.gone, among: IS_SMALL }))
      }, refFiles.forget)
      keepNewObjects(gitDir)
    },
    dropHeldTwice: dropTwice,
    refFolders: (): ReadonlyMap<string, boolean> => {
      const gitDir = options.gitDir()
      return gitDir === null ? new Map() : refFiles.folders(gitDir)
    }
  }
}

/** So often may git make one table of several while they are read. */
const READ_TRIES = 10

/** Calls `store` again, after `forget`, when git deleted a table that was to be read. */
function untilRead<T>(store: () => T, forget = (): void => {}): T {
  for (let tries = 1; ; tries++) {
    try {
      return store()
    } catch (error) {
      if (!(error instanceof TableGone) || tries === READ_TRIES) throw error
      forget()
    }
  }
}

/**
 * What nearly each git command changes, and each of its folders of refs, as one text; null if it changed within the last
 * moment before `now` (ms UTC). The watch may miss some of these folders.
 */
function quickStampAt(gitDir: string | null, listed: StateFiles | null, now = Date.now()): string | null {
  const folders = [...QUICK_STAMPED, ...(listed?.folders ?? []).filter((path) => path.startsWith('refs/'))]
  const stats = gitDir === null ? '' : probeState(gitDir, { files: [], folders }, now)
  return stats === null ? null : `${gitDir} ${stats}`
}

const QUICK_STAMPED = [
  ...['', 'HEAD', 'index', 'packed-refs', 'refs', 'refs/stash'],
  ...['logs/HEAD', 'logs/refs/stash', 'reftable', 'hooks', 'info']
]

/** Repositories that a restore or its undo replaced. */
function evictAsides(folder: string, before: number): void {
  for (const { name, at } of asidesIn(folder))
    if (at < before) rmSync(join(folder, name), { recursive: true, force: true })
}

/** With their marks; `at`: when they were replaced, ms UTC. */
function asidesIn(folder: string): { readonly name: string; readonly at: number }[] {
  return (ifReadable(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const at = /^replaced-(\d+)-/.exec(name)?.[1]
    return at === undefined ? [] : [{ name, at: Number(at) }]
  })
}
