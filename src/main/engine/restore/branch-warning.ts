/** Warns when a plan crosses a change of branch: restoring changes files, never git's state. */
import { findCheckpoint } from '../checkpoints/checkpoints.ts'
import { findRun } from '../store/runs.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { findRestore } from './journal.ts'

type TargetInput = Pick<RequestInput, 'target' | 'toSeq' | 'undoes'>

/** At most one sentence. `now`: what git has checked out, a branch or a commit; '' outside git. */
export function branchWarnings(store: Store, input: TargetInput, now: string): string[] {
  const then = checkedOutAtTarget(store, input)
  if (then === '' || now === '' || then === now) return []
  return [
    `${then} was checked out at that time, ${now} is checked out now. Only files are restored: git's branch, index and stash stay as they are.`
  ]
}

/** '' when it was not recorded. An undo returns to its restore's guard, an undone run to its first checkpoint. */
function checkedOutAtTarget(store: Store, { target, toSeq, undoes }: TargetInput): string {
  if (undoes) return checkedOutAt(store, findRestore(store, undoes)?.guard)
  if (toSeq === null) return checkedOutAt(store, findRun(store, target)?.start_checkpoint)
  const { checkpoint } = resolveTarget(store, target)
  if (checkpoint !== null && findCheckpoint(store, checkpoint)?.seq === toSeq) return checkedOutAt(store, checkpoint)
  const row = store.db.prepare('SELECT id FROM checkpoint WHERE seq = ? ORDER BY n DESC LIMIT 1').get(toSeq)
  return checkedOutAt(store, (row as { id: string } | undefined)?.id)
}

function checkedOutAt(store: Store, checkpoint: string | undefined): string {
  return (checkpoint && findCheckpoint(store, checkpoint)?.git) || ''
}
