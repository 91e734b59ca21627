/**
 * The brake of one recorded folder: stops a run that deletes, empties or moves away too many files in a short time. In
 * this order:
 *
 *   suspect   the watcher's events show losses while they happen (loss-meter.ts)
 *   freeze    what provably belongs to the runs that may do it (suspects.ts, frozen.ts)
 *   judge     the log is brought up to date and judged (losses.ts, judge.ts)
 *   hold      the stop is stored until a person decides; or, if too little was lost after all, everything continues
 *
 * Losses that were recorded without a suspicion, because events came late or not at all, are judged in the same manner.
 *
 * Invariants: processes are frozen only while their run is judged or held; a run has at most one stop.
 */
import type { EngineEvents } from '../../../contract/api.ts'
import type { BrakeState } from '../../../contract/brake.ts'
import type { Seq } from '../../../contract/log.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { countLosses, positionBefore } from '../store/losses.ts'
import { findRun, liveRuns } from '../store/runs.ts'
import type { BrakeContext } from './brake-context.ts'
import { createBrakeLimits } from './brake-limits.ts'
import { createFrozenRuns, type FrozenRuns } from './frozen-runs.ts'
import type { LostPath } from './gone-paths.ts'
import { createHeldRuns } from './held-runs.ts'
import { judge, leastOf, WINDOW_MS } from './judge.ts'
import { createLossMeter } from './loss-meter.ts'
import { explainedByGit, isGitBusy, readLosses } from './losses.ts'
import { recordedFiles } from './recorded-files.ts'
import { mayStop, runsWithCommand } from './suspects.ts'

interface BrakeOptions {
  readonly clock: Clock
  /** Whether losses are reported while they happen. */
  isWatched(): boolean
  onStopped(stopped: EngineEvents['brake.stopped']): void
  onError(error: unknown): void
}

export type Brake = ReturnType<typeof createBrake>

/** While git writes files, a judgement waits so long, ms. */
const GIT_MS = 100
const MOST_PATIENCE = 16
/** Losses that are recorded this long after the first one are read, ms. */
const RECORDED_MS = WINDOW_MS + 5000

/** `context` is used only after `createBrake` has returned. */
export function createBrake(context: BrakeContext, options: BrakeOptions) {
  const { clock, isWatched } = options
  const frozen = createFrozenRuns(context, clock)
  const held = createHeldRuns(context, frozen, options)
  const judges = createJudges(context, options, frozen, held)
  return {
    /** Events of the watcher. */
    pathChanged: judges.meter.pathChanged,
    treeChanged: judges.meter.treeChanged,
    /** Edits were recorded. Call outside of transactions. */
    editsRecorded: judges.editsRecorded,
    /** Runs began or ended: the processes of one that has ended continue. */
    runsChanged: (): void => {
      judges.resetPatience()
      for (const run of frozen.runs()) if (findRun(context.store, run)?.state !== 'live') frozen.thaw(run)
      // The guard stays until the folder is closed: starting one takes an eighth of the processor time of a short turn.
      frozen.keepReady(judges.isOn() && isWatched() && liveRuns(context.store).length > 0)
    },
    /** Runs that wait for a person. */
    list: held.list,
    find: held.find,
    isHeld: held.isHeld,
    decide: (run: string, state: Exclude<BrakeState, 'held'>): void => {
      held.decide(run, state)
      judges.meter.reset()
      context.notifyChanged(['status'])
    },
    lostPaths: held.lostPaths,
    /** Resolves when nothing is judged any more; everything continues then. */
    close: async (): Promise<void> => {
      const judged = judges.close()
      for (const run of frozen.runs()) frozen.thaw(run)
      await judged
      for (const run of frozen.runs()) frozen.thaw(run)
      frozen.close()
    }
  }
}

/** Suspects and judges runs: freezes what may lose too much, and holds or thaws it by the log. */
function createJudges(
  context: BrakeContext,
  { clock, onError }: BrakeOptions,
  frozen: FrozenRuns,
  held: ReturnType<typeof createHeldRuns>
) {
  const limits = createBrakeLimits(context)
  let judging: Promise<void> | null = null
  let closed = false
  /** Doubled by each suspicion that proved wrong, until runs change: a generator is not frozen again and again. */
  let patience = 1
  const isOn = (): boolean => !closed && limits.isOn()
  const logJudge = createLogJudge(context, { clock, onError, limits, isOn, held })

  const meter = createLossMeter({
    clock,
    isRunOpen: () => isOn() && runsWithCommand(context.store).length > 0,
    // Of losses that are not recorded yet, so that they count as covered still.
    limit: () => limits.limit(0) * patience,
    ...recordedFiles(context),
    onSuspicion: (sample) => suspect(sample)
  })

  /** False while nothing can be judged yet. */
  const suspect = (sample: readonly LostPath[]): boolean => {
    const { root, store } = context
    const [first] = sample
    if (first && isGitBusy(root, first.path, clock.now())) return false
    const isExplained = explainedByGit(root, first?.at ?? 0)
    const isExpected = sample.filter(({ path }) => isExplained(path)).length > sample.length / 2
    if (!isExpected) for (const run of runsWithCommand(store)) frozen.freeze(run)
    judging = (isExpected ? Promise.resolve() : judgeNow()).finally(() => {
      judging = null
      meter.reset()
    })
    return true
  }

  /** Brings the log up to date, then holds the runs that lost too much and lets all others continue. */
  const judgeNow = async (): Promise<void> => {
    try {
      await context.lock.run(async () => {
        if (closed) return
        await frozen.settled()
        await checkDisk(context, 'present')
        logJudge.judge()
      })
    } catch (error) {
      onError(error)
    }
    if (!frozen.runs().some(held.isHeld)) patience = Math.min(patience * 2, MOST_PATIENCE)
    for (const run of frozen.runs()) if (!held.isHeld(run)) frozen.thaw(run)
  }

  return {
    meter,
    isOn,
    editsRecorded: logJudge.editsRecorded,
    resetPatience: (): void => {
      patience = 1
    },
    /** Resolves when nothing is judged any more. */
    close: async (): Promise<void> => {
      closed = true
      meter.close()
      logJudge.close()
      await judging
    }
  }
}

interface LogJudgeOptions extends Pick<BrakeOptions, 'clock' | 'onError'> {
  readonly limits: ReturnType<typeof createBrakeLimits>
  isOn(): boolean
  readonly held: Pick<ReturnType<typeof createHeldRuns>, 'hold'>
}

/** Judges what is recorded. */
function createLogJudge(context: BrakeContext, { clock, onError, limits, isOn, held }: LogJudgeOptions) {
  let cancelRetry: (() => void) | null = null
  /** The newest edit when edits were recorded last; null before. */
  let readTo: Seq | null = null

  /** Call inside the workspace's lock, outside of transactions. */
  const judgeLog = (): void => {
    const { store, root } = context
    if (!isOn()) return
    const after = positionBefore(store, clock.now() - RECORDED_MS)
    if (countLosses(store, after) < leastOf(limits.bound())) return
    const losses = readLosses(context, after)
    const counted = losses.filter(({ excuse }) => excuse === null)
    const [first] = counted
    const most = limits.limit(losses.filter(({ isAbsent }) => isAbsent).length)
    if (!first || counted.length < most) return
    if (isGitBusy(root, first.path, clock.now())) {
      judgeLater()
      return
    }
    for (const verdict of judge(counted, most)) if (mayStop(store, verdict.run)) held.hold(verdict.run, verdict.losses)
  }
  const judgeLater = (): void => {
    cancelRetry ??= clock.setTimeout(() => {
      cancelRetry = null
      // Does nothing once it is closed.
      context.lock.run(async () => judgeLog()).catch(onError)
    }, GIT_MS)
  }

  return {
    judge: judgeLog,
    /** Judges new edits if some are losses: most are not, and only these are read. */
    editsRecorded: (): void => {
      const since = readTo
      readTo = context.store.records.lastSeq()
      if (since === null || countLosses(context.store, since) > 0) judgeLog()
    },
    close: (): void => cancelRetry?.()
  }
}
