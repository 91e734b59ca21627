/** Ends a run at the present position, with its checkpoint when it changed something. */
import type { RunState } from '../../../contract/timeline.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { runTotals } from '../diff/totals.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { updatePosition } from './position.ts'
import { closeRun, editsOfRun, type RunRow, addRunNote, sessionOfTurn, turnsOf } from './runs.ts'
import { sessionsIn } from './sessions.ts'
import { openCallsOf } from './tool-calls.ts'

/** Said of a run that did not come to its own end although its agent lives on. */
const STOPPED_EARLY = 'it was stopped before it was done'
/** Nobody told the end of a command: Codex leaves them running when a person stops it. */
const STOPPED_WITH_COMMAND = `${STOPPED_EARLY}; a command of it may have gone on, and what that wrote later counts as changed outside`

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
    const session = turn ? sessionOfTurn(store, turn) : run.session
    const checkpoint =
      editsOfRun(store, run.id).length > 0
        ? addCheckpoint(recorder, { reason: 'end_of_turn', run: run.id, turn, session }, at)
        : null
    // Closing ends its calls.
    if (end.completion === 'cancelled')
      addRunNote(store, run.id, openCallsOf(store, run.id).some((call) => call.wide === 1) ? STOPPED_WITH_COMMAND : STOPPED_EARLY)
    const conversations = sessionsIn(store, run.id)
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
    for (const id of conversations) updatePosition(store, id, at)
    also()
    bumpRev(store.db)
  })
  return { files: totals.files }
}
