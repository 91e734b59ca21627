/** Opens a workspace: composes what each feature needs of it. Its background work is in host-workspace.ts. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { PlanWarning } from '../../../contract/restore.ts'
import { linesOf, SETTINGS } from '../../../contract/settings.ts'
import type { WatchMode } from '../../../contract/workspace.ts'
import { recordLateResults } from '../agents/inferred-interrupts.ts'
import { createAgentSessions } from '../agents/resume.ts'
import { createBrake } from '../brake/brake.ts'
import { type CaptureSettings, readCaptureSettings } from '../capture/capture-settings.ts'
import { wasEntered } from '../capture/findings.ts'
import { createIgnoreRules, type IgnoreRules } from '../capture/ignore-rules.ts'
import { missingReason } from '../capture/presence.ts'
import type { StatThreads } from '../capture/stat-service.ts'
import { checkDisk } from '../drift/check.ts'
import { createDiskWatch } from '../drift/disk-watch.ts'
import { createDiskSpace, type DiskSpace, type FreeBytes } from '../files/disk-space.ts'
import { createWorktreeBoundaries } from '../git/git-worktrees.ts'
import { createGitPart } from '../git-state/git-part.ts'
import { createRepositories, type Repositories } from '../git-state/repositories.ts'
import type { Clock } from '../ports/clock.ts'
import { createLock } from '../ports/lock.ts'
import { log } from '../ports/log.ts'
import { noBundle } from '../restore/inputs/read-input.ts'
import { coverageState, keepCounts } from '../store/coverage.ts'
import type { WorktreeFile } from '../store/import-files.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { settleReserve } from '../store/reserve.ts'
import { mainHistoryOf } from '../store/shared-content.ts'
import { type WatchObserver, watchFolder } from '../watch/watcher.ts'
import { createChangeNotices, followChange } from './change-notices.ts'
import { endDeadRuns } from './dead-runs.ts'
import { hostWorkspace } from './host-workspace.ts'
import type { Opening } from './opened-workspaces.ts'
import { storeFile } from './store-file.ts'
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts'
import type { Emit, OpenWorkspace } from './workspace.ts'

interface OpenWorkspaceOptions extends Opening, StatThreads {
  readonly dataDir: string
  readonly home: string
  readonly clock: Clock
  /** Whether this process watches folders now. */
  readonly watching: WatchMode
  readonly ingestProgram: string
  /** Replaces the measurement of free space in tests. */
  readonly freeBytes?: FreeBytes | undefined
  /** Replaces the watch in tests. */
  readonly watchFolder?: typeof watchFolder
  readonly emit: Emit
  /** The history of an open review of a bundle. Throws NotAWorkspace. Absent where none is opened. */
  readonly bundle?: (id: string) => Store
  /** Git wrote in the repository, or the folder vanished or is back. */
  onGitChange(open: OpenWorkspace): void
  filesOfWorktree(open: OpenWorkspace, worktree: string): Promise<readonly WorktreeFile[]>
  revive(open: OpenWorkspace): PlanWarning | null
}

/** The history is closed again when it fails. */
export function openWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const file = storeFile(options.dataDir, options.workspace.id)
  const isWorktree = options.sharesWith() !== null
  const store = openStore(file, isWorktree && !existsSync(file))
  try {
    options.checkHistory(store.records.lastSeq())
    return openWithStore(options, store, isWorktree)
  } catch (error) {
    store.close()
    throw error
  }
}

function openWithStore(options: OpenWorkspaceOptions, store: Store, isWorktree: boolean): OpenWorkspace {
  const { workspace, clock, boundaries, setting, emit, dataDir } = options
  const { id, root } = workspace
  const settings = (): CaptureSettings => readCaptureSettings(setting, id)
  const rules = createIgnoreRules(root, settings())
  const space = createDiskSpace(dataDir, clock, options.freeBytes)
  const lock = createLock()
  const now = (): number => clock.now()
  const folder = openFolder(options, store, rules, space, {
    pathChanged: (path) => open.brake.pathChanged(path),
    treeChanged: (folder) => open.brake.treeChanged(folder)
  })
  const repositories = openRepositories(options, store)

  const open: OpenWorkspace = {
    workspace,
    repositories,
    gitPart: createGitPart(repositories, store),
    root,
    home: options.home,
    store,
    rules,
    boundaries,
    shareStats: options.shareStats,
    fileHelper: options.fileHelper,
    lock,
    disk: createDiskWatch({ watch: () => folder.watch, rules, now }),
    space,
    now,
    setting,
    testCommands: () =>
      linesOf(setting(`tests.commands/${id}`) || setting('tests.commands') || '').map((line) => line.split(/\s+/)),
    ...createChangeNotices({
      workspace: id,
      store,
      emit,
      onChanged: (kinds) => {
        options.noteHistory(open)
        followChange(open, kinds)
      }
    }),
    coverageChanged: () => {
      rules.setCaptureSettings(settings())
      folder.watch?.rulesChanged('')
    },
    refreshWorktrees: createWorktreeBoundaries(root, boundaries, options.recordedInside),
    recordLateResults: () => recordLateResults(open),
    get brake() {
      return brake
    },
    get sessions() {
      return createAgentSessions(open)
    },
    filesOfWorktree: (worktree) => options.filesOfWorktree(open, worktree),
    revive: () => options.revive(open),
    endDeadRuns: () => endDeadRuns(open),
    bundle: options.bundle ?? noBundle,
    refresh: async (mode) => {
      await endDeadRuns(open)
      await checkDisk(open, mode)
      repositories.refresh()
    },
    watcherState: folder.state,
    get snapshotProgress() {
      return hosted.snapshotProgress
    },
    catchUp: () => hosted.catchUp(),
    takeInitialSnapshot: (onCopied) => hosted.takeInitialSnapshot(onCopied),
    stopInitialSnapshot: () => hosted.stopInitialSnapshot(),
    applyQueuedRestores: () => hosted.applyQueuedRestores(),
    sweep: (...request) => hosted.sweep(...request),
    setWatching: (to) => hosted.setWatching(to),
    close: async () => {
      await brake.close()
      await hosted.close()
      // What holds the lock still writes.
      await lock.run(async () => {})
      repositories.close()
      keepCountsOf(open)
      store.close()
    }
  }
  const brake = createBrake(open, {
    clock,
    isWatched: () => folder.watch !== null,
    onStopped: (stopped) => emit('brake.stopped', stopped),
    onError: (error) => log.error(root, error)
  })
  const { ingestProgram } = options
  const hosted = hostWorkspace(open, {
    folder,
    clock,
    ingestProgram,
    settings,
    sharesWith: options.sharesWith,
    // The main folder watches the repository for its worktrees.
    watchesGit: !isWorktree,
    onGitChange: () => options.onGitChange(open),
    onSpace: () => settleReserve(dataDir),
    emit
  })
  return open
}

/** Without them the next process counts again. */
function keepCountsOf({ store, root }: OpenWorkspace): void {
  try {
    keepCounts(store)
  } catch (error) {
    // Expected: the disk is full, or the history is gone.
    log.warn(`${root}: what is protected could not be noted (${(error as Error).message})`)
  }
}

/** The folder on disk, watched if this process watches. */
function openFolder(
  options: OpenWorkspaceOptions,
  store: Store,
  rules: IgnoreRules,
  space: DiskSpace,
  observer: WatchObserver
): WatchedFolder {
  const { boundaries, clock, dataDir, watching } = options
  const { id, root } = options.workspace
  const barrierDir = join(dataDir, 'w', id, 'barrier')
  const { records } = store
  /** Of a folder that the rules ignore. Events come at any time: where the history cannot be read, too much is watched. */
  const staysWatched = (path: string): boolean => {
    try {
      return wasEntered(records, records.head(path))
    } catch (error) {
      if (error instanceof DriftlineError) return true
      throw error
    }
  }
  const ignoresDir = (path: string): boolean => boundaries.has(path) || (rules.ignoresDir(path) && !staysWatched(path))
  const isWorktree = options.sharesWith() !== null
  return createWatchedFolder({
    missingReason: () => missingReason(root, store),
    space,
    watching,
    start: () =>
      (options.watchFolder ?? watchFolder)({
        root,
        ignoresDir,
        barrierDir,
        clock,
        isWorktree,
        // The check that comes with the call for which the folder is opened is one, or its initial snapshot, unless that runs elsewhere.
        awaitsScan: coverageState(store) !== 'copying',
        observer
      })
  })
}

/** Git's own state of the folder's repository, and of those of subfolders. */
function openRepositories(options: OpenWorkspaceOptions, store: Store): Repositories {
  const { workspace, clock, boundaries, setting, isRecordedElsewhere } = options
  const { id, root } = workspace
  const { file } = store
  return createRepositories({
    root,
    historyDir: dirname(file),
    mainHistoryDir: () => dirname(mainHistoryOf(store, file)),
    store,
    isOn: () => (setting(`git.state/${id}`) || setting('git.state') || SETTINGS['git.state'].initial) === 'on',
    clock,
    boundaries,
    isRecordedElsewhere
  })
}
