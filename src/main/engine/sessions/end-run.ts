/** Ends a run at the present position, with its checkpoint when it changed something. */
import type { RunState } from '../../../contract/domain.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { runTotals } from '../diff/totals.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { notePosition } from './position.ts'
import { closeRun, editsOfRun, type RunRow, turnsOf } from './runs.ts'

/** Call inside the lock, after a check. `also` runs in the same transaction. */
export function endRun(
  recorder: Recorder,
  run: RunRow,
  end: {
    readonly state: RunState
    readonly exitCode: number | null
    readonly incomplete: boolean
    /** How its agent came to the end, when it was not by saying so. */
    readonly completion?: 'cancelled' | 'error'
  },
  also: () => void = () => {}
): { readonly files: number } {
  const { store } = recorder
  const totals = runTotals(store, run.id)
  write(store.db, () => {
    const at = recorder.now()
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const checkpoint =
      editsOfRun(store, run.id).length > 0
        ? addCheckpoint(recorder, { reason: 'end_of_turn', run: run.id, turn, session: run.session }, at)
        : null
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
    if (run.session) notePosition(store, run.session, at)
    also()
    bumpRev(store.db)
  })
  return { files: totals.files }
}
