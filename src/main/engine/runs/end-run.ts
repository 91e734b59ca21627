/** Ends a run at the newest position; a run that changed something gets a checkpoint there. */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { withoutDamage } from '../checkpoints/damage.ts'
import { forgetLiveTotals } from '../diff/live-totals.ts'
import { runTotals } from '../diff/requested-changes.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { addRunNote, findRun, type RunRow, setRunEnd, setRunTotals } from '../store/runs.ts'
import { detachSessions, sessionsIn } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import { closeCallsOfRun, openCallsOf } from '../store/tool-calls.ts'
import { endOpenTurn, sessionOfTurn, turnsOf } from '../store/turns.ts'
import type { RunContext } from './open-run.ts'
import { updatePosition } from './position.ts'
import type { RunOver } from './run-state.ts'

/** Call inside the workspace's lock, after a scan. */
export function endRun(
  { root, store, now }: Pick<RunContext, 'root' | 'now'> & { readonly store: Store },
  run: RunRow,
  end: RunOver,
  exitCode: number | null = null
): { readonly files: number } {
  const totals = withoutDamage(store, () => runTotals(store, run.id))
  transact(store, (tx) => {
    const at = now()
    const seq = tx.records.lastSeq()
    const turn = turnsOf(tx, run.id).at(-1)?.id ?? null
    const session = turn ? sessionOfTurn(tx, turn) : run.session
    const checkpoint =
      editsOfRun(tx, run.id).length > 0
        ? addCheckpoint(tx, root, { reason: 'end_of_turn', run: run.id, turn, session }, at)
        : null
    // Before the run's calls are closed and its sessions detached. Codex leaves its commands running when a person
    // interrupts it.
    if (end.completion === 'cancelled') {
      const hasOpenCommand = openCallsOf(tx, run.id).some((call) => call.wholeFolder === 1)
      addRunNote(tx, run.id, hasOpenCommand ? 'stopped-with-command' : 'stopped')
    }
    const sessions = sessionsIn(tx, run.id)
    setRunEnd(tx, run.id, { ...end, exitCode, seq, checkpoint: checkpoint?.id ?? null, ...totals }, at)
    endOpenTurn(tx, run.id, seq, at)
    closeCallsOfRun(tx, run.id, seq, at)
    detachSessions(tx, run.id)
    for (const id of sessions) updatePosition(tx, id)
    bumpRev(tx)
  })
  forgetLiveTotals(store, run.id)
  return { files: totals.files }
}

/**
 * A comparison in the background attributed edits to a run: one that has ended counts them too. Its end position stays
 * where it is (CK-1).
 */
export function extendEndedRun(tx: Writable<Store>, id: string): void {
  if (findRun(tx, id)?.state === 'live') return
  setRunTotals(
    tx,
    id,
    withoutDamage(tx, () => runTotals(tx, id))
  )
  addRunNote(tx, id, 'found-later')
}
