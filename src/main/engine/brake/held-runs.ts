/** Runs that are held until a person decides, and the decisions. */
import type { EngineEvents } from '../../../contract/api.ts'
import type { BrakeState, StoppedRun } from '../../../contract/brake.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { findStop, putStop } from '../store/brake-stops.ts'
import { pathsLostBy } from '../store/losses.ts'
import { findRun } from '../store/runs.ts'
import { transact } from '../store/sql.ts'
import { turnsOf } from '../store/turns.ts'
import type { BrakeContext } from './brake-context.ts'
import type { FrozenRuns } from './frozen-runs.ts'
import { commonFolder } from './judge.ts'
import type { RecordedLoss } from './losses.ts'
import { stoppedRuns } from './stops.ts'

interface HeldOptions {
  readonly clock: Clock
  onStopped(stopped: EngineEvents['brake.stopped']): void
}

/** `context` is used only after this has returned. */
export function createHeldRuns(context: BrakeContext, frozen: FrozenRuns, { clock, onStopped }: HeldOptions) {
  const list = (): StoppedRun[] => stoppedRuns(context, frozen.pids)
  const requireStop = (run: string) => {
    const stop = findStop(context.store, run)
    if (stop?.state === 'held') return stop
    throw new DriftlineError('UnknownTarget', `No run "${run}" is stopped here.`, { target: run })
  }
  return {
    list,
    isHeld: (run: string): boolean => findStop(context.store, run)?.state === 'held',
    /** `losses`: oldest first. */
    hold: (run: string, losses: readonly RecordedLoss[]): void => {
      if (!storeStop(context, clock, run, losses, () => frozen.freeze(run))) return
      context.notifyChanged(['checkpoints', 'status'])
      const stopped = list().find((stop) => stop.run === run)
      if (!stopped) return
      const { agent, title, deleted, folder } = stopped
      log.info(`${run} was stopped: it deleted ${deleted} files`)
      onStopped({ workspace: context.workspace.id, run, agent, title, deleted, folder })
    },
    /** The whole id of a stopped run, by any unique part of its start. Fails with UnknownTarget. */
    find: (typed: string): StoppedRun => {
      const [found, ...others] = list().filter(({ run }) => run.startsWith(typed))
      if (found && others.length === 0) return found
      throw new DriftlineError('UnknownTarget', `No run "${typed}" is stopped here.`, { target: typed })
    },
    /** Stores a decision and lets the run continue, or ends it. */
    decide: (run: string, state: Exclude<BrakeState, 'held'>): void => {
      const stop = requireStop(run)
      transact(context.store, (tx) => putStop(tx, { ...stop, state, decided: tx.records.lastSeq() }))
      if (state === 'ended') frozen.end(run)
      frozen.thaw(run)
    },
    /** What a stopped run deleted and is still gone, of any kind. */
    lostPaths: (run: string): string[] => pathsLostBy(context.store, run, requireStop(run).from)
  }
}

/** False for a run that is not known. `freeze` is called before anything is stored. */
function storeStop(
  { store, root }: BrakeContext,
  clock: Clock,
  run: string,
  losses: readonly RecordedLoss[],
  freeze: () => void
): boolean {
  const row = findRun(store, run)
  const [first] = losses
  if (!row || !first) return false
  freeze()
  const at = clock.now()
  const folder = commonFolder(losses.map(({ path }) => path))
  transact(store, (tx) => {
    const turn = turnsOf(tx, run).at(-1)?.id ?? null
    const label = String(losses.length)
    addCheckpoint(tx, root, { reason: 'run_stopped', label, run, turn, session: row.session }, at)
    putStop(tx, { run, state: 'held', at, deleted: losses.length, folder, from: first.seq - 1, decided: 0 })
  })
  return true
}
