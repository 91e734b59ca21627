/** Ends a run at the newest position; a run that changed something gets a checkpoint there. */
import type { RunState } from '../../../contract/timeline.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { runTotals } from '../diff/totals.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { updatePosition } from './position.ts'
import { addRunNote, closeRun, editsOfRun, type RunRow, sessionOfTurn, turnsOf } from '../store/runs.ts'
import { sessionsIn } from '../store/sessions.ts'
import { openCallsOf } from '../store/tool-calls.ts'

/** Note of a run that was cancelled while its agent lives on. */
const STOPPED_EARLY = 'stopped before it finished'
/** The same with a command whose end no event reported: Codex leaves its commands running when a person interrupts it. */
const STOPPED_WITH_COMMAND = `${STOPPED_EARLY}; its command may have kept running, and later changes by it count as made outside`

/** Call inside the workspace's lock, after a scan. `alsoInTransaction` runs in the transaction that ends the run. */
export function endRun(
  recorder: Recorder,
  run: RunRow,
  end: {
    readonly state: RunState
    readonly exitCode: number | null
    readonly incomplete: boolean
    /** Set when the run ended in another way than its agent reporting that it is done. */
    readonly completion?: 'cancelled' | 'error'
  },
  alsoInTransaction: () => void = () => {}
): { readonly files: number } {
  const { store } = recorder
  const totals = runTotals(store, run.id)
  write(store.db, () => {
    const at = recorder.now()
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const session = turn ? sessionOfTurn(store, turn) : run.session
    const checkpoint =
      editsOfRun(store, run.id).length > 0
        ? addCheckpoint(recorder, { reason: 'end_of_turn', run: run.id, turn, session }, at)
        : null
    // Before closeRun, which closes the run's calls and detaches its sessions.
    if (end.completion === 'cancelled') {
      const hasOpenCommand = openCallsOf(store, run.id).some((call) => call.wide === 1)
      addRunNote(store, run.id, hasOpenCommand ? STOPPED_WITH_COMMAND : STOPPED_EARLY)
    }
    const sessions = sessionsIn(store, run.id)
    closeRun(
      store,
      run.id,
      {
        ...end,
        completion: end.completion ?? (end.state === 'interrupted' ? 'interrupted' : 'completed'),
        seq: store.records.lastSeq(),
        checkpoint: checkpoint?.id ?? null,
        ...totals
      },
      at
    )
    for (const id of sessions) updatePosition(store, id, at)
    alsoInTransaction()
    bumpRev(store.db)
  })
  return { files: totals.files }
}
