/** Opens a recorded folder: its store, rules, watcher and lock, and keeps it checked while a host runs. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CopyProgress, Watching, Workspace } from '../../../contract/domain.ts'
import type { Sweep } from '../../../contract/storage.ts'
import type { Baseline, startBaseline } from '../capture/baseline.ts'
import { type CaptureChoices, choicesOf } from '../capture/choices.ts'
import { coverageState } from '../capture/coverage.ts'
import type { Prepare } from '../db/migrate.ts'
import { readRev, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { lstatSignature } from '../files/signature.ts'
import type { Clock } from '../ports/clock.ts'
import { createLock } from '../ports/lock.ts'
import { type ProcessId, startOf } from '../ports/processes.ts'
import { slices } from '../ports/slices.ts'
import { openRestore } from '../restore/journal.ts'
import type { Bounds } from '../retention/bounds.ts'
import type { createKeeper } from '../retention/keeper.ts'
import type { sweep as sweepStore } from '../retention/sweep.ts'
import type { measure } from '../retention/usage.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { liveRuns } from '../sessions/runs.ts'
import { openStore } from '../store/open-store.ts'
import type { FolderWatch, watchFolder } from '../watch/watcher.ts'
import { createDiskSpace, type FreeBytes, isDiskFull, refuseWithoutRoom } from './disk-space.ts'
import { worktreesInside } from './git-worktrees.ts'
import { createIgnoreRules } from './ignore-rules.ts'
import type { ChangedKind, Recorder } from './recorder.ts'
import { UNWATCHED } from './watching.ts'

export interface OpenWorkspace extends Recorder {
  /** Starts the first copy, or goes on with one that was stopped. Resolves when it is complete. */
  takeFirstCopy(): Promise<void>
  stopCopy(): void
  /** Lets go of what no restore point needs, or lists it. Ends early when the workspace is closed. */
  sweep(bounds: Bounds, dryRun: boolean, stop?: () => boolean): Promise<Sweep>
  /** Looks for commits of other processes; tells clients when there were some. */
  noticeForeignCommits(): void
  /** Starts or stops watching it. */
  setWatching(to: Watching): Promise<void>
  close(): Promise<void>
}

/** Keeping the history within its bounds; handed in, so that a hook need not load it. */
export interface Retention {
  /** As set now. */
  bounds(): Bounds
  readonly sweep: typeof sweepStore
  readonly measure: typeof measure
  readonly createKeeper: typeof createKeeper
}

export interface OpenWorkspaceOptions {
  readonly workspace: Workspace
  readonly dataDir: string
  readonly home: string
  readonly clock: Clock
  /** Whether folders are watched now. */
  watching(): Watching
  /** Handed in, so that a hook which opens a store for one event loads neither. */
  readonly watchFolder: typeof watchFolder
  readonly startCopy: typeof startBaseline
  readonly ingestProgram: string
  /** How its store is made fit for use; absent = brought up to date. */
  readonly prepare?: Prepare
  setting(key: string): string | null
  /** Recorded folders inside, kept by the registry; working trees of git are added to them here. */
  readonly boundaries: Set<string>
  readonly retention: Retention
  /** Another answer about free space, in tests. */
  readonly freeBytes?: FreeBytes
  onChanged(kinds: readonly ChangedKind[], paths: readonly string[], rev: number): void
  onCopy(): void
  /** A background check failed: said once, never swallowed. */
  onTrouble(error: unknown): void
}

const POLL_MS = 1000
const SWEEP_SLICE_MS = 8
const TEND_MS = 60_000
const RUN_POLL_MS = 2000

export function storeFile(dataDir: string, id: string): string {
  return join(dataDir, 'w', id, 'store.db')
}

export function openWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const { workspace, clock, dataDir } = options
  const file = storeFile(dataDir, workspace.id)
  const store = openStore(file, options.prepare)
  const choices = (): CaptureChoices => choicesOf(options.setting, workspace.id)
  const rules = createIgnoreRules(workspace.root, choices())
  const lock = createLock()
  const space = createDiskSpace(dataDir, clock, options.freeBytes)
  let rev = readRev(store.db)
  let copy: CopyProgress | null = null
  let baseline: Baseline | null = null
  let closed = false
  /** The first copy was stopped because the disk is nearly full: it goes on by itself. */
  let copyNeedsRoom = false
  let sweeping: Promise<Sweep> | null = null
  let tending: Promise<void> | null = null
  /** Boundaries that are there because git says so. */
  let worktrees: string[] = []
  const cancels: (() => void)[] = []

  const barrierDir = join(dataDir, 'w', workspace.id, 'barrier')
  const startWatch = (): FolderWatch => {
    mkdirSync(barrierDir, { recursive: true, mode: 0o700 })
    return options.watchFolder({
      root: workspace.root,
      ignoresDir: (path) => rules.ignoresDir(path) || options.boundaries.has(path),
      barrierDir,
      clock
    })
  }
  let watching = options.watching()
  let watch: FolderWatch | null = watching === 'on' ? startWatch() : null

  const recorder: OpenWorkspace = {
    workspace,
    root: workspace.root,
    home: options.home,
    store,
    rules,
    boundaries: options.boundaries,
    lock,
    get watch() {
      return watch
    },
    space,
    checkedAt: null,
    mustScan: false,
    postponed: new Set(),
    now: () => clock.now(),
    setting: options.setting,
    chooseCapture: () => {
      rules.choose(choices())
      watch?.rulesChanged('')
    },
    refreshWorktrees: () => {
      const inside = new Set(worktreesInside(workspace.root))
      for (const one of worktrees) if (!inside.has(one)) options.boundaries.delete(one)
      worktrees = [...inside].filter((one) => worktrees.includes(one) || !options.boundaries.has(one))
      for (const one of worktrees) options.boundaries.add(one)
    },
    refreshRules: () => {
      rules.refresh()
      watch?.rulesChanged('')
    },
    watcherState: () => {
      if (lstatSignature(workspace.root)?.kind !== 'dir')
        return { state: 'off', why: 'The folder is not there any more.' }
      const disk = space.look()
      if (disk.low) return { state: 'off', why: disk.why }
      return watch ? watch.state() : { state: 'off', why: UNWATCHED[watching === 'on' ? 'off' : watching] }
    },
    get copy() {
      return copy
    },
    changed: (kinds, paths = []) => {
      rev = readRev(store.db)
      options.onChanged(kinds, paths, rev)
    },
    noticeForeignCommits: () => {
      const now = readRev(store.db)
      if (now === rev) return
      rev = now
      options.onChanged(['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status'], [], now)
    },
    sweep: async (bounds, dryRun, stop = () => false) => {
      const before = readRev(store.db)
      sweeping = options.retention.sweep(store, {
        ...bounds,
        dryRun,
        now: clock.now(),
        pause: slices(SWEEP_SLICE_MS),
        stop: () => closed || stop()
      })
      const done = await sweeping
      if (!dryRun && readRev(store.db) !== before && !closed) recorder.changed(['checkpoints', 'status'])
      return done
    },
    takeFirstCopy: async () => {
      if (baseline) return baseline.done
      recorder.refreshWorktrees()
      copyNeedsRoom = space.look().low
      refuseWithoutRoom(space)
      // What changes while a new folder is copied is recorded, only later; after a copy that was cut off nobody did.
      if (store.meta('coverage') === 'none') recorder.checkedAt = clock.now()
      write(store.db, () => {
        store.setMeta('coverage', 'copying')
      })
      copy = { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0, counted: false }
      baseline = options.startCopy(
        options.ingestProgram,
        { root: workspace.root, storeFile: file, boundaries: [...options.boundaries], choices: choices() },
        (told) => {
          copy = {
            files: told.files,
            filesTotal: told.filesTotal,
            bytes: told.bytes,
            bytesTotal: 0,
            counted: told.counted
          }
          if (space.look().low) copyNeedsRoom = true
          if (copyNeedsRoom) baseline?.stop()
          options.onCopy()
        }
      )
      const copier: ProcessId = { pid: baseline.pid, start: startOf(baseline.pid) }
      write(store.db, () => store.setMeta('copier', JSON.stringify(copier)))
      try {
        await baseline.done
      } catch (error) {
        write(store.db, () => {
          store.setMeta('coverage', 'partial')
        })
        if (isDiskFull(error)) space.failed()
        if (copyNeedsRoom) refuseWithoutRoom(space)
        throw error
      } finally {
        baseline = null
        copy = null
        recorder.changed(['status'])
        options.onCopy()
      }
      if (!closed) await options.retention.measure(store, slices(SWEEP_SLICE_MS))
      // What changed while it was copied is found by the first complete look.
      if (!closed) await lock.run(() => checkDisk(recorder, 'boundary'))
    },
    stopCopy: () => baseline?.stop(),
    setWatching: async (to) => {
      if (closed || to === watching) return
      watching = to
      const stopped = watch
      watch = to === 'on' ? startWatch() : null
      // What changed meanwhile was changed while recording was off.
      recorder.checkedAt = null
      if (watch) follow(watch)
      await stopped?.close()
      recorder.changed(['status'])
    },
    close: async () => {
      closed = true
      for (const cancel of cancels) cancel()
      baseline?.stop()
      await baseline?.done.catch(() => {})
      await watch?.close()
      // Its caller is told what became of it.
      await sweeping?.catch(() => {})
      await tending
      await lock.run(async () => {})
      store.close()
    }
  }

  if (watching !== 'off') {
    let shown = JSON.stringify(recorder.watcherState())
    every(POLL_MS, () => {
      recorder.noticeForeignCommits()
      if (space.resumed()) goOn()
      // The folder went or came back, the watcher became live or met a limit: no write says so.
      const now = JSON.stringify(recorder.watcherState())
      if (now !== shown) recorder.changed(['status'])
      shown = now
    })
    const isBusy = (): boolean =>
      closed ||
      copy !== null ||
      coverageState(store) === 'copying' ||
      liveRuns(store).length > 0 ||
      openRestore(store) !== null
    const tend = options.retention.createKeeper({
      store,
      clock,
      bounds: options.retention.bounds,
      isBusy,
      sweep: (bounds) => recorder.sweep(bounds, false, isBusy),
      pause: () => slices(SWEEP_SLICE_MS)
    })
    every(TEND_MS, () => {
      tending ??= tend()
        .catch(options.onTrouble)
        .finally(() => {
          tending = null
        })
    })
    every(RUN_POLL_MS, () => {
      lock.run(() => endDeadRuns(recorder)).catch(options.onTrouble)
    })
  }
  if (watch) follow(watch)
  return recorder

  /** There is room again: what changed meanwhile is found, and a copy that had to stop goes on. */
  function goOn(): void {
    const work = copyNeedsRoom && !copy ? recorder.takeFirstCopy() : lock.run(() => checkDisk(recorder, 'live'))
    work.catch(options.onTrouble)
  }

  function follow(live: FolderWatch): void {
    live.onDirty(() => {
      if (!closed) lock.run(() => checkDisk(recorder, 'live')).catch(options.onTrouble)
    })
    // A copy whose process died is gone on with; one that a person stopped waits for that person.
    if (store.meta('coverage') === 'copying' && coverageState(store) === 'partial')
      recorder.takeFirstCopy().catch(options.onTrouble)
  }

  function every(ms: number, work: () => void): void {
    let cancel = (): void => {}
    const again = (): void => {
      cancel = clock.setTimeout(() => {
        if (closed) return
        work()
        again()
      }, ms)
    }
    again()
    cancels.push(() => cancel())
  }
}
