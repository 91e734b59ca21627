/** Opens a workspace: composes its store, rules, watcher, lock and snapshot, and keeps it checked while a host runs. */
import { join } from 'node:path'
import type { ChangedKind } from '../../../contract/api.ts'
import type { SweepResult } from '../../../contract/storage.ts'
import type { WatchMode, Workspace } from '../../../contract/workspace.ts'
import type { createAgentSessions } from '../agents/agent-sessions.ts'
import { recordLateResults } from '../agents/late-tool-results.ts'
import { type CaptureSettings, readCaptureSettings } from '../capture/capture-settings.ts'
import { createIgnoreRules } from '../capture/ignore-rules.ts'
import { missingReason } from '../capture/presence.ts'
import type { startSnapshotProcess } from '../capture/snapshot-process.ts'
import type { PrepareSchema } from '../db/migrate.ts'
import { checkDisk } from '../drift/check.ts'
import { createDiskWatch } from '../drift/disk-watch.ts'
import { createDiskSpace, type FreeBytes } from '../files/disk-space.ts'
import { createWorktreeBoundaries } from '../git/worktree-boundaries.ts'
import type { Clock } from '../ports/clock.ts'
import { createLock } from '../ports/lock.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Pause } from '../retention/contents.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta, readRev } from '../store/meta.ts'
import { openStore } from '../store/open-store.ts'
import type { watchFolder } from '../watch/watcher.ts'
import { endDeadRuns } from './dead-runs.ts'
import type { Retention } from './retention.ts'
import { createSnapshotRunner } from './snapshot-runner.ts'
import { startUpkeep } from './upkeep.ts'
import { createWatchedFolder } from './watched-folder.ts'
import type { OpenWorkspace } from './workspace.ts'

export interface OpenWorkspaceOptions {
  readonly workspace: Workspace
  readonly dataDir: string
  readonly home: string
  readonly clock: Clock
  /** Whether this process watches folders now. */
  watching(): WatchMode
  /** Injected, like the next two, so that a hook that opens a store for one event loads none of them. */
  readonly createAgentSessions: typeof createAgentSessions
  readonly watchFolder: typeof watchFolder
  readonly startSnapshot: typeof startSnapshotProcess
  readonly ingestProgram: string
  /** Prepares the store; default: migrate it to the current schema. */
  readonly prepare?: PrepareSchema
  setting(key: string): string | null
  /** Recorded folders inside, kept up to date by the registry; git worktrees are added here. */
  readonly boundaries: Set<string>
  readonly retention: Retention
  /** Replaces the measurement of free space in tests. */
  readonly freeBytes?: FreeBytes
  onChanged(kinds: readonly ChangedKind[], paths: readonly string[], rev: number): void
  onSnapshotProgress(): void
  /** A background task failed. */
  onError(error: unknown): void
}

/** How long a sweep holds the thread before other work gets a turn. */
const SWEEP_SLICE_MS = 8

export function storeFile(dataDir: string, id: string): string {
  return join(dataDir, 'w', id, 'store.db')
}

export function openWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const { workspace, clock, dataDir, boundaries, retention } = options
  const file = storeFile(dataDir, workspace.id)
  const store = openStore(file, options.prepare)
  const settings = (): CaptureSettings => readCaptureSettings(options.setting, workspace.id)
  const rules = createIgnoreRules(workspace.root, settings())
  const lock = createLock()
  const space = createDiskSpace(dataDir, clock, options.freeBytes)
  const pause = (): Pause => createTimeSlicer(SWEEP_SLICE_MS)
  const copier = createSnapshotRunner({
    start: options.startSnapshot,
    program: options.ingestProgram,
    storeFile: file,
    settings,
    measure: () => retention.measure(store, pause()),
    onProgress: options.onSnapshotProgress
  })
  const folder = createWatchedFolder({
    missingReason: () => missingReason(workspace.root, store),
    barrierDir: join(dataDir, 'w', workspace.id, 'barrier'),
    space,
    watching: options.watching(),
    start: (barrierDir) =>
      options.watchFolder({
        root: workspace.root,
        ignoresDir: (path) => rules.ignoresDir(path) || boundaries.has(path),
        barrierDir,
        clock
      })
  })
  const now = (): number => clock.now()
  const disk = createDiskWatch({ watch: () => folder.watch, rules, now })
  let rev = readRev(store)
  let closed = false
  let sweeping: Promise<SweepResult> | null = null

  const open: OpenWorkspace = {
    workspace,
    root: workspace.root,
    home: options.home,
    store,
    rules,
    boundaries,
    lock,
    disk,
    space,
    now,
    setting: options.setting,
    reloadCaptureSettings: () => {
      rules.setCaptureSettings(settings())
      folder.watch?.rulesChanged('')
    },
    refreshWorktrees: createWorktreeBoundaries(workspace.root, boundaries),
    recordLateResults: () => recordLateResults(open),
    get sessions() {
      return options.createAgentSessions(open)
    },
    endDeadRuns: () => endDeadRuns(open),
    refresh: async (mode) => {
      await endDeadRuns(open)
      await checkDisk(open, mode)
    },
    watcherState: folder.state,
    get snapshotProgress() {
      return copier.progress
    },
    notifyChanged: (kinds, paths = []) => {
      rev = readRev(store)
      options.onChanged(kinds, paths, rev)
    },
    detectForeignCommits: () => {
      const current = readRev(store)
      if (current === rev) return
      rev = current
      options.onChanged(['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status'], [], current)
    },
    sweep: async (bounds, dryRun, { never = false, stop = () => false } = {}) => {
      const before = readRev(store)
      sweeping = retention.sweep(store, {
        ...bounds,
        dryRun,
        now: now(),
        pause: pause(),
        neverKeep: never ? rules.neverStores : null,
        stop: () => closed || stop()
      })
      const done = await sweeping
      if (!dryRun && readRev(store) !== before && !closed) open.notifyChanged(['checkpoints', 'status'])
      return done
    },
    takeInitialSnapshot: () => copier.run(open),
    stopInitialSnapshot: copier.stop,
    setWatching: async (to) => {
      if (closed || to === folder.watching) return
      const stopped = folder.set(to)
      // Changes until now were made while nothing was recording.
      disk.markOffline()
      checkOnChanges()
      await stopped
      open.notifyChanged(['status'])
    },
    close: async () => {
      closed = true
      const upkeepStopped = upkeep?.stop()
      await copier.close()
      await folder.close()
      // A failure is reported to the caller of `sweep`.
      await sweeping?.catch(() => {})
      await upkeepStopped
      await lock.run(async () => {})
      store.close()
    }
  }

  const { onError } = options
  const upkeep =
    folder.watching === 'off'
      ? null
      : startUpkeep(open, { clock, retention, pause, snapshotWaitsForSpace: () => copier.waitsForSpace, onError })
  checkOnChanges()
  return open

  /** Checks the disk whenever the watch reports changes. */
  function checkOnChanges(): void {
    if (!folder.watch) return
    folder.watch.onDirty(() => {
      if (!closed) lock.run(() => checkDisk(open, 'live')).catch(onError)
    })
    // Continues a snapshot whose process died; one that a person stopped waits for that person.
    if (readMeta(store, 'coverage') === 'copying' && coverageState(store) === 'partial')
      open.takeInitialSnapshot().catch(onError)
  }
}
