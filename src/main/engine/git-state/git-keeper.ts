/**
 * Keeps git's own state of one recorded folder: at each start and end of runs and turns, pin and restore it compares the
 * stats of a few dozen files, stores those that changed, and links new objects. The log of files has no part in it.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallFile } from '../files/read-small-file.ts'
import { gitFolderAt } from '../git/git-folder.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { checkpointsAfter, lastCheckpointBefore } from '../store/checkpoints.ts'
import {
  beginGitRun,
  deleteGitStatesBefore,
  endGitRun,
  type GitFileRow,
  type GitStore,
  gitFilesAt,
  insertGitFile,
  insertGitState,
  lastGitState,
  markGitState,
  openGitStore,
  putGitContent,
  unendedGitRuns
} from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, liveRuns } from '../store/runs.ts'
import { transact, type Writable } from '../store/sql.ts'
import { evictObjects, keepObjects } from './kept-objects.ts'
import {
  isOldStamp,
  type ListedFolder,
  listRefFiles,
  listStateFiles,
  probeState,
  STATE_FILE_LIMIT,
  type StateFile,
  type StateFiles
} from './state-files.ts'

export interface GitKeeperOptions {
  readonly root: string
  /** The folder of this history, of a worktree that of the main folder; its `git` folder is ours. Asked before each use. */
  historyDir(): string
  /** Whether the history is that of the main folder of this worktree. */
  isWorktree(): boolean
  readonly store: Store
  isOn(): boolean
  readonly clock: Clock
}

export type GitKeeper = ReturnType<typeof createGitKeeper>

const ANY_FILE = /^/
/** What names commits, and a worktree's own files but its index: small, whatever the size of the repository. */
const IS_REF = /^(?:HEAD|packed-refs|refs\/.*|logs\/refs\/stash|worktrees\/[^/]+\/(?!index$|logs\/).*)$/

/** The file by which a linked worktree or a submodule names its repository, beside the files of that. */
export const WORKTREE_LINK = '.git'

interface CurrentFiles {
  state: number | undefined
  files: Map<string, GitFileRow>
}

interface Listed extends StateFiles {
  readonly gitDir: string
  readonly probe: string | null
}

/** Opens git.db only once there is a repository, or a kept state. */
export function createGitKeeper(options: GitKeeperOptions) {
  const folderNow = (): string => join(options.historyDir(), 'git')
  const keptNow = (): string => join(folderNow(), 'objects')
  const objectTimes = new Map<string, bigint>()
  const stamps = new Map<string, string>()
  const refFolders = new Map<string, ListedFolder>()
  /** The files at the newest state. */
  const current: CurrentFiles = { state: undefined, files: new Map() }
  let opened: GitStore | null = null
  let newest: Listed | null = null
  /** Ordinal of the newest checkpoint whose state is known, or can no longer be. */
  let marked = lastCheckpointBefore(options.store, null)

  const open = (create: boolean): GitStore | null => {
    if (opened || (!create && !existsSync(join(folderNow(), 'git.db')))) return opened
    mkdirSync(keptNow(), { recursive: true, mode: 0o700 })
    opened = openGitStore(join(folderNow(), 'git.db'))
    return opened
  }

  /** Throws typed errors of the store, and file system errors of the data folder. */
  const captureNow = (): void => {
    const gitDir = repositoryOf(options.root)
    // Of a worktree that is gone, the repository is still there.
    if (gitDir === null && options.isWorktree()) return
    const store = open(gitDir !== null)
    if (!store) return
    const changed =
      gitDir === null ||
      newest?.gitDir !== gitDir ||
      newest.probe === null ||
      newest.probe !== probeState(gitDir, newest)
    if (newest?.gitDir !== gitDir) forget()
    if (changed) {
      const started = Date.now()
      const found = gitDir === null ? null : listStateFiles(gitDir)
      // Before the files are read: what is written meanwhile differs from this probe, or makes it too young.
      const probe = gitDir === null || !found ? null : probeState(gitDir, found, started)
      transact(store, (tx) => storeChanges(tx, gitDir, found?.files ?? []))
      newest = gitDir !== null && found ? { ...found, gitDir, probe } : null
    }
    // After the refs: git writes objects first.
    if (gitDir !== null) keepObjects(join(gitDir, 'objects'), keptNow(), objectTimes)
    markRuns(store)
    markCheckpoints(store)
  }

  /** Refs and objects alone, as they are between two positions: each git command costs one such capture. */
  const captureRefsNow = (): void => {
    const gitDir = repositoryOf(options.root)
    const store = gitDir === null ? null : open(true)
    if (gitDir === null || !store) return
    const found = listRefFiles(gitDir, refFolders).filter(({ path }) => IS_REF.test(path))
    transact(store, (tx) => storeChanges(tx, gitDir, found, IS_REF))
    keepObjects(join(gitDir, 'objects'), keptNow(), objectTimes)
  }

  const forget = (): void => {
    newest = null
    stamps.clear()
    refFolders.clear()
    current.state = undefined
    objectTimes.clear()
  }

  /** `files`: all whose paths match `among`. */
  const storeChanges = (
    tx: Writable<GitStore>,
    gitDir: string | null,
    files: readonly StateFile[],
    among = ANY_FILE
  ): void => {
    const last = lastGitState(tx)
    if (current.state !== last?.id)
      current.files = new Map((last ? gitFilesAt(tx, last.id) : []).map((row) => [row.path, row]))
    const known = new Map(current.files)
    let state: number | null = null
    // Of a run that begins now, nothing can be yet.
    const runs = unendedGitRuns(tx)
    const run = runs.length === 1 ? (runs[0] ?? null) : null
    const note = (path: string, mode: number, hash: Uint8Array | null): void => {
      state ??= insertGitState(tx, { seq: options.store.records.lastSeq(), at: options.clock.now(), run })
      const row = { path, state, mode, hash }
      insertGitFile(tx, row)
      if (hash) current.files.set(path, row)
      else current.files.delete(path)
    }
    for (const file of files) {
      const before = known.get(file.path)
      known.delete(file.path)
      if (before && stamps.get(file.path) === file.stamp) continue
      const bytes = readSmallFile(join(gitDir ?? '', file.path), STATE_FILE_LIMIT)
      // Unreadable, or replaced this moment: what is known stays.
      if (bytes === null) continue
      const hash = putGitContent(tx, bytes)
      if (!before?.hash || before.mode !== file.mode || !Buffer.from(before.hash).equals(hash))
        note(file.path, file.mode, hash)
      if (isOldStamp(file.stamp)) stamps.set(file.path, file.stamp)
    }
    const link = gitDir === null || options.isWorktree() ? null : readSmallFile(join(options.root, WORKTREE_LINK), 8192)
    if (link) {
      const [before, hash] = [known.get(WORKTREE_LINK)?.hash, putGitContent(tx, link)]
      known.delete(WORKTREE_LINK)
      if (!before || !Buffer.from(before).equals(hash)) note(WORKTREE_LINK, 0o644, hash)
    }
    for (const path of known.keys()) if (among.test(path)) note(path, 0, null)
    // Runs refer to a state.
    if (!last) state ??= insertGitState(tx, { seq: 0, at: options.clock.now(), run: null })
    current.state = state ?? last?.id
  }

  const markRuns = (store: GitStore): void => {
    const state = lastGitState(store)?.id
    if (state === undefined) return
    const live = liveRuns(options.store).map(({ id }) => id)
    const open = unendedGitRuns(store)
    // Worktrees keep their runs here, too, and each knows which of its own have ended.
    const isEnded = (id: string): boolean => !live.includes(id) && findRun(options.store, id) !== null
    const [ended, begun] = [open.filter(isEnded), live.filter((id) => !open.includes(id))]
    if (ended.length + begun.length === 0) return
    transact(store, (tx) => {
      for (const id of ended) endGitRun(tx, id, state)
      for (const id of begun) beginGitRun(tx, id, state)
    })
  }

  /** Those that were made since the last capture: each is followed by one at once. */
  const markCheckpoints = (store: GitStore): void => {
    const state = lastGitState(store)?.id
    const made = checkpointsAfter(options.store, marked, Number.MAX_SAFE_INTEGER)
    if (state === undefined || made.length === 0) return
    transact(store, (tx) => made.forEach(({ id }) => void markGitState(tx, id, state)))
  }

  /** A state that cannot be kept must not stop a run. It is in the log of the recorder. */
  const attempt = (work: () => void): void => {
    try {
      if (options.isOn()) work()
    } catch (error) {
      forget()
      log.error(options.root, error)
    }
  }

  return {
    root: options.root,
    isWorktree: options.isWorktree,
    get folder() {
      return folderNow()
    },
    get kept() {
      return keptNow()
    },
    isOn: options.isOn,
    clock: options.clock,
    now: () => options.clock.now(),
    /** The states; null while none is kept. */
    store: () => open(false),
    /** Like `capture`, for a caller that needs the present state. Throws what kept it from being stored. */
    captureNow: (): void => {
      if (options.isOn()) captureNow()
    },
    /** At a position that was just marked. Never throws. */
    capture: (): void => {
      attempt(captureNow)
      marked = lastCheckpointBefore(options.store, null)
    },
    /** [GT-6] The same for refs and objects alone, whenever git has written. */
    captureRefs: (): void => attempt(captureRefsNow),
    /** Deletes what git deleted or replaced before `before` (ms UTC), and the oldest objects of it beyond `budget` bytes. */
    sweep: (before: number, budget: number): void => {
      const store = open(false)
      if (!store) return
      transact(store, (tx) => deleteGitStatesBefore(tx, before))
      const gitDir = repositoryOf(options.root)
      evictAsides(folderNow(), before)
      evictObjects(keptNow(), gitDir === null ? null : join(gitDir, 'objects'), before, budget)
    },
    close: (): void => {
      opened?.close()
      opened = null
    }
  }
}

/** The folder with refs and objects of the repository whose working tree is `root`. */
export function repositoryOf(root: string): string | null {
  return gitFolderAt(root)?.commonDir ?? null
}

/** Repositories that a restore or its undo replaced. */
function evictAsides(folder: string, before: number): void {
  for (const name of readdirSync(folder))
    if (Number(/^replaced-(\d+)-/.exec(name)?.[1] ?? Infinity) < before)
      rmSync(join(folder, name), { recursive: true, force: true })
}
