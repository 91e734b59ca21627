/** Warns when a plan crosses a change of branch: restoring changes files, never git's state. */
import type { PlanWarning } from '../../../contract/restore.ts'
import { findCheckpoint, findCheckpointAt } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRestore } from '../store/restores.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import type { RequestInput } from './inputs/request-input.ts'

type TargetInput = Pick<RequestInput, 'target' | 'toSeq' | 'undoes'>

/** At most one warning. `now`: what git has checked out, a branch or a commit; '' outside git. */
export function branchWarnings(store: Store, input: TargetInput, now: string): PlanWarning[] {
  const recorded = checkedOutAtTarget(store, input)
  if (recorded === '' || now === '' || recorded === now) return []
  return [{ code: 'other-checkout', recorded, now }]
}

/** '' when it was not recorded. An undo returns to its restore's guard, an undone run to its first checkpoint. */
function checkedOutAtTarget(store: Store, { target, toSeq, undoes }: TargetInput): string {
  if (undoes) return checkedOutAt(store, findRestore(store, undoes)?.guard)
  if (toSeq === null) return checkedOutAt(store, findRun(store, target)?.start_checkpoint)
  const { checkpoint } = resolveTarget(store, target)
  if (checkpoint !== null && findCheckpoint(store, checkpoint)?.seq === toSeq) return checkedOutAt(store, checkpoint)
  return findCheckpointAt(store, toSeq)?.git ?? ''
}

function checkedOutAt(store: Store, checkpoint: string | undefined): string {
  return (checkpoint && findCheckpoint(store, checkpoint)?.git) || ''
}
