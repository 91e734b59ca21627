/** Marks which state belongs to which run and checkpoint. */
import { checkpointsAfter } from '../store/checkpoints.ts'
import {
  beginGitRun,
  endGitRun,
  type GitStore,
  lastGitState,
  markGitState,
  unendedGitRuns
} from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, liveRuns } from '../store/runs.ts'
import { transact } from '../store/sql.ts'

/** Runs that began or ended since the last call have the newest state. `log`: the store of the folder's own history. */
export function markRuns(store: GitStore, log: Store): void {
  const state = lastGitState(store)?.id
  if (state === undefined) return
  const live = liveRuns(log).map(({ id }) => id)
  const open = unendedGitRuns(store)
  // Worktrees keep their runs here, too, and each knows which of its own have ended.
  const isEnded = (id: string): boolean => !live.includes(id) && findRun(log, id) !== null
  const [ended, begun] = [open.filter(isEnded), live.filter((id) => !open.includes(id))]
  if (ended.length + begun.length === 0) return
  transact(store, (tx) => {
    for (const id of ended) endGitRun(tx, id, state)
    for (const id of begun) beginGitRun(tx, id, state)
  })
}

/** Checkpoints after the ordinal `after` have the newest state: each is followed by a capture at once. */
export function markCheckpoints(store: GitStore, log: Store, after: number): void {
  const state = lastGitState(store)?.id
  const made = checkpointsAfter(log, after, Number.MAX_SAFE_INTEGER)
  if (state === undefined || made.length === 0) return
  transact(store, (tx) => made.forEach(({ id }) => void markGitState(tx, id, state)))
}
