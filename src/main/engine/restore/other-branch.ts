/** A plan that goes back across a change of branch says so: files go back, and git stays where it is. */
import { findCheckpoint } from '../checkpoints/checkpoints.ts'
import { findRun } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { ActFacts } from './facts/act-facts.ts'
import { findRestore } from './journal.ts'

/** One sentence, or none. `now`: what git has checked out. */
export function warnOfOtherBranch(
  store: Store,
  facts: Pick<ActFacts, 'target' | 'toSeq' | 'undoes'>,
  now: string
): string[] {
  const then = checkedOutThen(store, facts)
  if (then === '' || now === '' || then === now) return []
  return [
    `${then} was checked out then, ${now} is now. Only files go back: git's branch, index and stash stay as they are.`
  ]
}

/** At the state the plan goes back to; '' when nobody knows. */
function checkedOutThen(
  store: Store,
  { target, toSeq, undoes }: Pick<ActFacts, 'target' | 'toSeq' | 'undoes'>
): string {
  if (undoes) return gitOf(store, findRestore(store, undoes)?.guard)
  if (toSeq === null) return gitOf(store, findRun(store, target)?.start_checkpoint)
  const { checkpoint } = resolveTarget(store, target)
  if (checkpoint !== null && findCheckpoint(store, checkpoint)?.seq === toSeq) return gitOf(store, checkpoint)
  const there = store.db.prepare('SELECT id FROM checkpoint WHERE seq = ? ORDER BY n DESC LIMIT 1').get(toSeq)
  return gitOf(store, (there as { id: string } | undefined)?.id)
}

function gitOf(store: Store, checkpoint: string | undefined): string {
  return (checkpoint && findCheckpoint(store, checkpoint)?.git) || ''
}
