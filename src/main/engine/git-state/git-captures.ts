/** Reads the state of one repository from disk and stores what changed: all of it, its refs alone, or many refs in steps. */
import type { GitStore } from '../store/git-store.ts'
import { transact } from '../store/sql.ts'
import type { createGitPlace } from './git-place.ts'
import { createObjectCaptures } from './object-captures.ts'
import { foldersAtWork } from './operation-files.ts'
import { createRefFiles, type ReportedNames } from './ref-files.ts'
import { listInSteps, listStateFiles, probeState, STEP, type StateFile, type StateFiles } from './state-files.ts'
import { createStateWriter, TableGone, type WriterOptions } from './state-writer.ts'

const ANY_FILE = /^/
const IS_REF_OR_LOG = /^(?:refs|logs)\//
/** What names commits, the files that set a repository up, and a worktree's own but its index: small, whatever the repository's size. */
const IS_SMALL =
  /^(?:HEAD|packed-refs|config(?:\.worktree)?|(?:hooks|info)(?:\/.*)?|refs\/.*|reftable\/.*|logs\/refs\/stash|[A-Z_]*_(?:HEAD|MODE|MSG)|AUTO_MERGE|MERGE_AUTOSTASH|BISECT_[A-Z_]+|(?:rebase-merge|rebase-apply|sequencer)\/.*|worktrees\/[^/]+\/(?!index$|logs\/).*)$/

/** A larger index is not kept between two positions while conflicts are resolved, bytes: some 40,000 files. */
const LARGEST_INDEX = 4 * 1024 * 1024

/** Of changed files: the small ones, and the index of each folder where an operation of git is at work. */
function keptBetween(files: readonly StateFile[]): StateFile[] {
  const atWork = foldersAtWork(files.map(({ path }) => path))
  const isKept = ({ path, size }: StateFile): boolean =>
    IS_SMALL.test(path) ||
    (size <= LARGEST_INDEX && /(?:^|\/)index$/.test(path) && atWork.has(path.slice(0, -'index'.length)))
  return files.filter(isKept)
}

/** The kept states and objects of the repository. */
interface CaptureFiles {
  /** The folder of kept objects. */
  kept(): string
  /** Null if no state is kept. Throws typed errors. */
  open(): GitStore | null
  /** As `open`, and created if no state is kept. */
  create(): GitStore
}

interface Listed extends StateFiles {
  readonly gitDir: string
  readonly probe: string | null
  /** Whether `.git` was there. */
  readonly isLinked: boolean
}

type CaptureOptions = WriterOptions & ReturnType<typeof createGitPlace>

/** What the captures of one repository remember of each other, so that each reads only what changed. */
export function createCaptures(options: CaptureOptions, files: CaptureFiles) {
  const writer = createStateWriter(options)
  const write = createWrite(writer)
  const refFiles = createRefFiles()
  const objects = createObjectCaptures(files.kept)
  let newest: Listed | null = null
  /** Whether all objects that `newest` names are kept. */
  let areObjectsKept = false
  /** At the last complete capture; null if what changes now may look the same. */
  let quickStamp: string | null = null

  const forget = (): void => {
    newest = null
    areObjectsKept = false
    quickStamp = null
    for (const each of [writer, refFiles, objects]) each.forget()
  }
  const stampNow = (now?: number): string | null => {
    const stamp = quickStampAt(options.gitDir(), newest, now)
    return stamp && `${stamp} ${options.isLinked()}`
  }

  return {
    forget,
    /** Compares all files of state, and returns the store; null without a repository or a kept state. Throws typed errors. */
    all: (): GitStore | null => {
      const gitDir = options.gitDir()
      const before = newest
      const stamp = stampNow()
      // Of a worktree that is gone, the repository is still there.
      if (gitDir === null && options.isWorktree()) return null
      const store = gitDir === null ? files.open() : files.create()
      if (!store) return null
      const isLinked = options.isLinked()
      const isSame = gitDir !== null && newest?.gitDir === gitDir && newest.isLinked === isLinked
      const isUnchanged = isSame && newest?.probe != null && newest.probe === probeState(gitDir, newest)
      if (!isSame) forget()
      if (!isUnchanged) newest = untilRead(() => storeState(write, store, gitDir, isLinked))
      // After the refs: git writes objects first. What no ref, reflog or index names anew is not looked for: that would take a
      // stat of each of their folders.
      areObjectsKept = (isUnchanged && areObjectsKept) || gitDir === null || objects.keepNew(gitDir)
      // A stamp has the folders of refs that were listed before.
      quickStamp = areObjectsKept && newest === before ? stamp : null
      return store
    },
    /** What `all` stores, in steps, where nothing was stored yet; what `all` leaves is then little. */
    storeInParts: function* (): Generator<void> {
      const gitDir = options.gitDir()
      const store = gitDir === null ? null : files.create()
      if (gitDir === null || !store || newest !== null) return
      const isLinked = options.isLinked()
      // A position may have captured all meanwhile.
      const isCurrent = (): boolean => newest === null && options.gitDir() === gitDir && files.open() === store
      const stored = yield* storeStateInParts(write, store, gitDir, isCurrent)
      if (stored) newest = { ...stored, gitDir, isLinked }
    },
    isUnmoved: (): boolean => quickStamp !== null && quickStamp === stampNow(Number.MAX_SAFE_INTEGER),
    /** Small files and objects alone, as they are between two positions: each git command costs one such capture. */
    refs: (reported: ReportedNames): void => {
      quickStamp = null
      const gitDir = options.gitDir()
      const store = gitDir === null ? null : files.create()
      if (gitDir === null || !store) return
      untilRead(() => {
        const { files, gone } = refFiles.changes(gitDir, reported)
        write(store, { gitDir, files: keptBetween(files), gone, among: IS_SMALL })
      }, refFiles.forget)
      objects.keepNew(gitDir)
    },
    dropHeldTwice: objects.dropHeldTwice,
    refFolders: (): ReadonlyMap<string, boolean> => {
      const gitDir = options.gitDir()
      return gitDir === null ? new Map() : refFiles.folders(gitDir)
    }
  }
}

type Write = ReturnType<typeof createWrite>

/** In one transaction. */
function createWrite(writer: ReturnType<typeof createStateWriter>) {
  return (store: GitStore, state: Parameters<typeof writer.write>[1]): void =>
    transact(store, (tx) => writer.write(tx, state))
}

/** Null where there is no repository. */
function storeState(write: Write, store: GitStore, gitDir: string | null, isLinked: boolean): Listed | null {
  const started = Date.now()
  const found = gitDir === null ? null : listStateFiles(gitDir)
  // Before the files are read: what is written meanwhile differs from this probe, or makes it too young.
  const probe = gitDir === null || !found ? null : probeState(gitDir, found, started)
  write(store, { gitDir, files: found?.files ?? [], gone: null, among: ANY_FILE })
  return gitDir !== null && found ? { ...found, gitDir, probe, isLinked } : null
}

/** First the refs and reflogs, of which a repository may have any number. Null once `isCurrent` is false. */
function* storeStateInParts(
  write: Write,
  store: GitStore,
  gitDir: string,
  isCurrent: () => boolean
): Generator<void, Omit<Listed, 'gitDir' | 'isLinked'> | null> {
  const started = Date.now()
  const found = yield* listInSteps(gitDir)
  const probe = probeState(gitDir, found, started)
  const many = found.files.filter(({ path }) => IS_REF_OR_LOG.test(path))
  for (let at = 0; at < many.length && isCurrent(); at += STEP) {
    write(store, { gitDir, files: many.slice(at, at + STEP), gone: [], among: ANY_FILE })
    yield
  }
  if (!isCurrent()) return null
  write(store, { gitDir, files: found.files, gone: null, among: ANY_FILE })
  return { ...found, probe }
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
