/** [GT-7] Which kept state of a repository belongs to the target of a restore. */
import { callsOfEdit } from '../store/edit-calls.ts'
import { type GitStore, gitStateAt, gitStateBefore, gitStatesOfRun } from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import type { Target } from '../store/targets.ts'
import { findCall } from '../store/tool-calls.ts'

/** Null if none is known. A target without a checkpoint is before what made the edit after it. */
export function stateOf(store: GitStore, log: Store, { run, turn, end, checkpoint, seq }: Target): number | null {
  const states = run !== null && turn === null ? gitStatesOfRun(store, run) : null
  const known = states
    ? end
      ? states.last
      : states.first
    : checkpoint !== null && !end
      ? gitStateAt(store, checkpoint)
      : null
  if (known !== null) return known
  return gitStateBefore(store, Math.min(endOf(log, seq), Number.MAX_SAFE_INTEGER))
}

/**
 * When what made the edit after a position began, ms UTC: git's state is kept at once, and the files that a command of git wrote
 * are recorded later, at the latest when its tool call ends.
 */
function endOf(log: Store, seq: number): number {
  if (seq >= log.records.lastSeq()) return Number.POSITIVE_INFINITY
  const isBetween = (call: string): boolean => !callsOfEdit(log, seq).includes(call)
  const begun = callsOfEdit(log, seq + 1)
    .filter(isBetween)
    .flatMap((call) => findCall(log, call)?.opened_at ?? [])
  return Math.min(log.records.edit(seq + 1).at, ...begun)
}
