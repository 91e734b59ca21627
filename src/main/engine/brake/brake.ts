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
import type { BrakeState, StoppedRun } from '../../../contract/brake.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { SETTINGS } from '../../../contract/settings.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { type CheckContext, checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lock } from '../ports/lock.ts'
import { log } from '../ports/log.ts'
import { findStop, putStop } from '../store/brake-stops.ts'
import { countCovered, coverageState } from '../store/coverage.ts'
import { countLosses, pathsLostBy, positionBefore } from '../store/losses.ts'
import { findRun, liveRuns } from '../store/runs.ts'
import { transact } from '../store/sql.ts'
import { turnsOf } from '../store/turns.ts'
import { createFreezer, type Frozen } from './frozen.ts'
import { commonFolder, judge, leastOf, limitOf, WINDOW_MS } from './judge.ts'
import { createLossMeter, type LostPath } from './loss-meter.ts'
import { explainedByGit, isGitBusy, type RecordedLoss, readLosses } from './losses.ts'
import { recordedFiles } from './recorded-files.ts'
import { stoppedRuns } from './stops.ts'
import { mayStop, processesOfRun, runsWithCommand } from './suspects.ts'

/** What the brake needs of a recorded folder. */
export interface BrakeContext extends CheckContext {
  readonly workspace: { readonly id: string }
  readonly lock: Lock
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
}

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
export function createBrake(context: BrakeContext, { clock, isWatched, onStopped, onError }: BrakeOptions) {
  const freezer = createFreezer()
  const frozen = new Map<string, Frozen>()
  let judging: Promise<void> | null = null
  let cancelRetry: (() => void) | null = null
  let closed = false
  /** Doubled by each suspicion that proved wrong, until runs change: a generator is not frozen again and again. */
  let patience = 1
  /** The newest edit when edits were recorded last; null before. */
  let readTo: Seq | null = null

  const setting = (key: 'brake' | 'brake.files'): string =>
    context.setting(`${key}/${context.workspace.id}`) || context.setting(key) || SETTINGS[key].initial
  const isOn = (): boolean => !closed && setting('brake') === 'on' && coverageState(context.store) === 'complete'
  const bound = (): number | null => Number(setting('brake.files')) || null
  /** `lost`: files that the log has no more, but had before. */
  const limit = (lost: number): number => limitOf({ files: bound(), covered: countCovered(context.store) + lost })

  /** Of what is not recorded yet, so that it counts as covered still. */
  const meterLimit = (): number => limit(0) * patience

  const meter = createLossMeter({
    clock,
    isRunOpen: () => isOn() && runsWithCommand(context.store).length > 0,
    limit: meterLimit,
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
    if (!isExpected) for (const run of runsWithCommand(store)) freezeRun(run)
    judging = (isExpected ? Promise.resolve() : judgeNow()).finally(() => {
      judging = null
      meter.reset()
    })
    return true
  }

  const freezeRun = (run: string): Frozen => {
    const known = frozen.get(run)
    if (known) return known
    const find = (fast: boolean) => processesOfRun(context.store, run, clock.now(), fast)
    const added = freezer.freeze(find(true).processes, () => find(false))
    frozen.set(run, added)
    return added
  }
  const thaw = (run: string): void => {
    frozen.get(run)?.resume()
    frozen.delete(run)
  }

  /** Brings the log up to date, then holds the runs that lost too much and lets all others continue. */
  const judgeNow = async (): Promise<void> => {
    try {
      await context.lock.run(async () => {
        if (closed) return
        await Promise.all([...frozen.values()].map(({ settled }) => settled))
        await checkDisk(context, 'present')
        judgeLog()
      })
    } catch (error) {
      onError(error)
    }
    const isHeld = (run: string): boolean => findStop(context.store, run)?.state === 'held'
    if (![...frozen.keys()].some(isHeld)) patience = Math.min(patience * 2, MOST_PATIENCE)
    for (const run of [...frozen.keys()]) if (!isHeld(run)) thaw(run)
  }

  /** Judges what is recorded, if new edits are losses: most are not, and only these are read. */
  const editsRecorded = (): void => {
    const since = readTo
    readTo = context.store.records.lastSeq()
    if (since === null || countLosses(context.store, since) > 0) judgeLog()
  }
  /** Judges what is recorded. Call inside the workspace's lock, outside of transactions. */
  const judgeLog = (): void => {
    const { store, root } = context
    if (!isOn()) return
    const after = positionBefore(store, clock.now() - RECORDED_MS)
    if (countLosses(store, after) < leastOf(bound())) return
    const losses = readLosses(context, after)
    const counted = losses.filter(({ excuse }) => excuse === null)
    const [first] = counted
    const most = limit(losses.filter(({ isAbsent }) => isAbsent).length)
    if (!first || counted.length < most) return
    if (isGitBusy(root, first.path, clock.now())) {
      judgeLater()
      return
    }
    for (const verdict of judge(counted, most)) if (mayStop(store, verdict.run)) hold(verdict.run, verdict.losses)
  }
  const judgeLater = (): void => {
    cancelRetry ??= clock.setTimeout(() => {
      cancelRetry = null
      if (!closed) context.lock.run(async () => judgeLog()).catch(onError)
    }, GIT_MS)
  }

  /** `losses`: oldest first. */
  const hold = (run: string, losses: readonly RecordedLoss[]): void => {
    const { store, root } = context
    const row = findRun(store, run)
    const [first] = losses
    if (!row || !first) return
    freezeRun(run)
    const at = clock.now()
    const folder = commonFolder(losses.map(({ path }) => path))
    transact(store, (tx) => {
      const turn = turnsOf(tx, run).at(-1)?.id ?? null
      const checkpoint = {
        reason: 'run_stopped',
        label: String(losses.length),
        run,
        turn,
        session: row.session
      } as const
      addCheckpoint(tx, root, checkpoint, at)
      putStop(tx, { run, state: 'held', at, deleted: losses.length, folder, from: first.seq - 1, decided: 0 })
    })
    context.notifyChanged(['checkpoints', 'status'])
    const stopped = list().find((stop) => stop.run === run)
    if (!stopped) return
    const { agent, title, deleted } = stopped
    log.info(`${run} was stopped: it deleted ${deleted} files`)
    onStopped({ workspace: context.workspace.id, run, agent, title, deleted, folder })
  }

  const list = (): StoppedRun[] => stoppedRuns(context, (run) => frozen.get(run)?.pids() ?? [])
  /** Stores a decision and lets the run go. */
  const decide = (run: string, state: Exclude<BrakeState, 'held'>): void => {
    const { store } = context
    const stop = requireStop(run)
    transact(store, (tx) => putStop(tx, { ...stop, state, decided: tx.records.lastSeq() }))
    if (state === 'ended') frozen.get(run)?.end()
    thaw(run)
    meter.reset()
    context.notifyChanged(['status'])
  }
  const requireStop = (run: string) => {
    const stop = findStop(context.store, run)
    if (stop?.state === 'held') return stop
    throw new DriftlineError('UnknownTarget', `No run "${run}" is stopped here.`, { target: run })
  }

  return {
    /** Events of the watcher. */
    pathChanged: meter.pathChanged,
    treeChanged: meter.treeChanged,
    /** Edits were recorded. Call outside of transactions. */
    editsRecorded,
    /** Runs began or ended: the processes of one that has ended continue. */
    runsChanged: (): void => {
      patience = 1
      for (const run of [...frozen.keys()]) if (findRun(context.store, run)?.state !== 'live') thaw(run)
      const isNeeded = isOn() && isWatched() && liveRuns(context.store).length > 0
      if (isNeeded) freezer.ready()
      else if (frozen.size === 0) freezer.close()
    },
    /** Runs that wait for a person. */
    list,
    /** The whole id of a stopped run, by any unique part of its start. Fails with UnknownTarget. */
    find: (typed: string): StoppedRun => {
      const [found, ...others] = list().filter(({ run }) => run.startsWith(typed))
      if (found && others.length === 0) return found
      throw new DriftlineError('UnknownTarget', `No run "${typed}" is stopped here.`, { target: typed })
    },
    decide,
    /** What a stopped run deleted and is still gone, of any kind. */
    lostPaths: (run: string): string[] => pathsLostBy(context.store, run, requireStop(run).from),
    /** Resolves when nothing is judged any more; everything continues then. */
    close: async (): Promise<void> => {
      closed = true
      meter.close()
      cancelRetry?.()
      for (const run of [...frozen.keys()]) thaw(run)
      await judging
      for (const run of [...frozen.keys()]) thaw(run)
      freezer.close()
    }
  }
}
