/**
 * Periodic work of a host on an open workspace: finds commits of other processes, keeps the history within bounds, ends
 * dead runs.
 */
import { removeOldForks } from '../agents/unused-forks.ts'
import { checkDisk } from '../drift/check.ts'
import { createComparison } from '../drift/comparison.ts'
import type { Clock } from '../ports/clock.ts'
import type { Pause } from '../retention/contents.ts'
import { limitsOf, type RetentionLimits } from '../retention/limits.ts'
import { createMaintenance } from '../retention/maintenance.ts'
import { cutoffOf } from '../retention/retained.ts'
import { extendEndedRun } from '../runs/end-run.ts'
import { coverageState } from '../store/coverage.ts'
import { blockingRestore } from '../store/restores.ts'
import { liveRuns } from '../store/runs.ts'
import { endDeadRuns } from './dead-runs.ts'
import type { OpenWorkspace } from './workspace.ts'

const POLL_MS = 1000
const RETENTION_MS = 60_000
const RUN_POLL_MS = 2000
/** [DR-6] How often a watch that may lose events unnoticed is verified. */
const VERIFY_MS = 5 * 60_000

interface UpkeepOptions {
  readonly clock: Clock
  pause(): Pause
  /** The initial snapshot was stopped because the disk is nearly full. */
  snapshotWaitsForSpace(): boolean
  /** The folder vanished or is back. */
  onFolderChange(): void
  /** The disk of the history was full and has space again. */
  onSpace(): void
  onError(error: unknown): void
}

/** Returns a function that stops it; resolves when no work runs any more. */
export function startUpkeep(open: OpenWorkspace, options: UpkeepOptions): () => Promise<void> {
  const { store, lock, space } = open
  const { clock, pause, onError } = options
  const timers = createTimers(clock)
  let stopped = false
  let keeping: Promise<void> | null = null

  let lastState = JSON.stringify(open.watcherState())
  timers.every(POLL_MS, () => {
    open.detectForeignCommits()
    if (space.consumeResumed()) {
      options.onSpace()
      resumeRecording().catch(onError)
    }
    // The folder vanished or is back, or the watcher changed its state: no commit shows that.
    const state = JSON.stringify(open.watcherState())
    if (state !== lastState) {
      open.notifyChanged(['status'])
      options.onFolderChange()
    }
    lastState = state
  })

  const isBusy = (): boolean =>
    stopped ||
    open.snapshotProgress !== null ||
    coverageState(store) === 'copying' ||
    liveRuns(store).length > 0 ||
    blockingRestore(store) !== null
  const keep = createMaintenance({
    store,
    clock,
    readLimits: () => limitsOf(open.setting, open.workspace.id),
    isBusy,
    sweep: async (bounds) => {
      removeOldForks(open)
      await sweepGit(bounds)
      return open.sweep(bounds, { stop: isBusy })
    },
    pause
  })
  timers.every(RETENTION_MS, () => {
    keeping ??= keep()
      .catch(onError)
      .finally(() => {
        keeping = null
      })
  })

  const comparison = createComparison(open, {
    clock,
    isBusy: () =>
      open.snapshotProgress !== null || coverageState(store) !== 'complete' || blockingRestore(store) !== null,
    onAttributed: extendEndedRun,
    onError
  })
  open.disk.onComparisonDue(comparison.request)
  timers.every(VERIFY_MS, () => {
    if (open.disk.needsVerification()) comparison.request()
  })

  timers.every(RUN_POLL_MS, () => {
    lock.run(() => endDeadRuns(open)).catch(onError)
  })

  function sweepGit({ budget, days }: RetentionLimits): Promise<void> {
    return open.repositories.sweep(cutoffOf(open.now(), days), budget)
  }

  /** There is space again: continues a stopped snapshot, or records what changed meanwhile. */
  function resumeRecording(): Promise<unknown> {
    return options.snapshotWaitsForSpace() && !open.snapshotProgress
      ? open.takeInitialSnapshot()
      : lock.run(() => checkDisk(open, 'live'))
  }

  return async () => {
    stopped = true
    timers.cancel()
    await comparison.close()
    await keeping
  }
}

/** Repeating timers that are cancelled together. */
function createTimers(clock: Clock) {
  const cancels: (() => void)[] = []
  let cancelled = false
  return {
    /** Runs `work` every `ms`, first after `ms`. The next wait starts when `work` returns, so runs never overlap. */
    every: (ms: number, work: () => void): void => {
      let cancel = (): void => {}
      const schedule = (): void => {
        cancel = clock.setTimeout(() => {
          if (cancelled) return
          work()
          schedule()
        }, ms)
      }
      schedule()
      cancels.push(() => cancel())
    },
    cancel: (): void => {
      cancelled = true
      for (const cancel of cancels) cancel()
    }
  }
}
