/** Opens a workspace: composes its store, rules, watcher, lock and snapshot, and keeps it checked while a host runs. */
import { join } from 'node:path'
import type { EngineEvents, EventName } from '../../../contract/api.ts'
import type { SweepResult } from '../../../contract/storage.ts'
import type { WatchMode } from '../../../contract/workspace.ts'
import { recordLateResults } from '../agents/inferred-interrupts.ts'
import { type CaptureSettings, readCaptureSettings } from '../capture/capture-settings.ts'
import { createIgnoreRules } from '../capture/ignore-rules.ts'
import { missingReason } from '../capture/presence.ts'
import { checkDisk } from '../drift/check.ts'
import { createDiskWatch } from '../drift/disk-watch.ts'
import { createDiskSpace, type FreeBytes } from '../files/disk-space.ts'
import { createWorktreeBoundaries } from '../git/git-worktrees.ts'
import type { Clock } from '../ports/clock.ts'
import { createLock } from '../ports/lock.ts'
import { log } from '../ports/log.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Pause } from '../retention/contents.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta, readRev } from '../store/meta.ts'
import type { PrepareSchema } from '../store/migrate.ts'
import { openStore } from '../store/open-store.ts'
import { endDeadRuns } from './dead-runs.ts'
import type { HostParts } from './host-parts.ts'
import type { Opening } from './registry.ts'
import { startUpkeep } from './upkeep.ts'
import { createWatchedFolder } from './watched-folder.ts'
import type { OpenWorkspace } from './workspace.ts'

interface OpenWorkspaceOptions extends Opening {
  readonly dataDir: string
  readonly home: string
  readonly clock: Clock
  /** Whether this process watches folders now. */
  readonly watching: WatchMode
  /** Null in a hook, so that it loads none of them. */
  readonly parts: HostParts | null
  readonly ingestProgram: string
  /** Prepares the store; default: migrate it to the current schema. */
  readonly prepare?: PrepareSchema
  /** Replaces the measurement of free space in tests. */
  readonly freeBytes?: FreeBytes | undefined
  emit<E extends EventName>(event: E, payload: EngineEvents[E]): void
}

/** How long a sweep holds the thread before other work gets a turn. */
const SWEEP_SLICE_MS = 8

export function storeFile(dataDir: string, id: string): string {
  return join(dataDir, 'w', id, 'store.db')
}

export function openWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const { workspace, clock, dataDir, boundaries, parts, setting, emit } = options
  const { id, root } = workspace
  const store = openStore(storeFile(dataDir, id), options.prepare)
  const settings = (): CaptureSettings => readCaptureSettings(setting, id)
  const rules = createIgnoreRules(root, settings())
  const lock = createLock()
  const space = createDiskSpace(dataDir, clock, options.freeBytes)
  const pause = (): Pause => createTimeSlicer(SWEEP_SLICE_MS)
  const barrierDir = join(dataDir, 'w', id, 'barrier')
  const folder = createWatchedFolder({
    missingReason: () => missingReason(root, store),
    barrierDir,
    space,
    watching: options.watching,
    start: () => {
      const ignoresDir = (path: string): boolean => rules.ignoresDir(path) || boundaries.has(path)
      return required(parts).watchFolder({ root, ignoresDir, barrierDir, clock })
    }
  })
  const now = (): number => clock.now()
  const disk = createDiskWatch({ watch: () => folder.watch, rules, now })
  let rev = readRev(store)
  let closed = false
  let sweeping: Promise<SweepResult> | null = null

  const open: OpenWorkspace = {
    workspace,
    root,
    home: options.home,
    store,
    rules,
    boundaries,
    lock,
    disk,
    space,
    now,
    setting,
    reloadCaptureSettings: () => {
      rules.setCaptureSettings(settings())
      folder.watch?.rulesChanged('')
    },
    refreshWorktrees: createWorktreeBoundaries(root, boundaries),
    recordLateResults: () => recordLateResults(open),
    get sessions() {
      return required(parts).createAgentSessions(open)
    },
    endDeadRuns: () => endDeadRuns(open),
    refresh: async (mode) => {
      await endDeadRuns(open)
      await checkDisk(open, mode)
    },
    watcherState: folder.state,
    get snapshotProgress() {
      return copier?.progress ?? null
    },
    notifyChanged: (kinds, paths = []) => {
      rev = readRev(store)
      emit('workspace.changed', { workspace: id, rev, kinds, paths })
    },
    detectForeignCommits: () => {
      if (readRev(store) !== rev) open.notifyChanged(['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status'])
    },
    sweep: async (bounds, dryRun, { never = false, stop = () => false } = {}) => {
      const before = readRev(store)
      sweeping = required(parts).sweep(store, {
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
    takeInitialSnapshot: () => required(copier).run(),
    stopInitialSnapshot: () => copier?.stop(),
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
      const upkeepStopped = stopUpkeep?.()
      await copier?.close()
      await folder.close()
      // A failure is reported to the caller of `sweep`.
      await sweeping?.catch(() => {})
      await upkeepStopped
      await lock.run(async () => {})
      store.close()
    }
  }

  const onError = (error: unknown): void => {
    log.error(root, error)
    emit('workspace.changed', { workspace: id, rev: 0, kinds: ['status'], paths: [] })
  }
  const copier =
    parts?.createSnapshotRunner(open, {
      program: options.ingestProgram,
      settings,
      measure: () => parts.measure(store, pause()),
      onProgress: () =>
        emit('coverage.changed', { workspace: id, coverage: coverageState(store), copy: open.snapshotProgress })
    }) ?? null
  const stopUpkeep =
    parts && folder.watching !== 'off'
      ? startUpkeep(open, { clock, parts, pause, snapshotWaitsForSpace: () => copier?.waitsForSpace ?? false, onError })
      : null
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

/** Only a hook has no parts, and it needs none. */
function required<T>(part: T | null): T {
  if (part === null) throw new Error('not available in a hook: it does not watch, copy or sweep')
  return part
}
