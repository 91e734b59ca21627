/**
 * Marks which state belongs to which run and checkpoint. Where nothing changed, marks wait until the next state is stored:
 * so a position costs no transaction for each repository of the folder.
 */
import { checkpointsAfter, lastCheckpointBefore } from '../store/checkpoints.ts'
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
import { transact, type Writable } from '../store/sql.ts'

/**
 * Runs that began or ended since the last call have the newest state. `log`: the store of the folder's own history; `live`:
 * the runs that are live at the position.
 */
function markRuns(tx: Writable<GitStore>, log: Store, live: readonly string[]): void {
  const state = lastGitState(tx)?.id
  if (state === undefined) return
  const open = unendedGitRuns(tx)
  // Worktrees keep their runs here, too, and each knows which of its own have ended.
  const isEnded = (id: string): boolean => !live.includes(id) && findRun(log, id) !== null
  const [ended, begun] = [open.filter(isEnded), live.filter((id) => !open.includes(id))]
  for (const id of ended) endGitRun(tx, id, state)
  for (const id of begun) beginGitRun(tx, id, state)
}

/** Checkpoints after the ordinal `after`, up to `last`, have the newest state: each is followed by a capture at once. */
function markCheckpoints(tx: Writable<GitStore>, log: Store, after: number, last: number): void {
  const state = lastGitState(tx)?.id
  const made = after === last ? [] : checkpointsAfter(log, after, Number.MAX_SAFE_INTEGER).filter(({ n }) => n <= last)
  if (state !== undefined) for (const { id } of made) markGitState(tx, id, state)
}

/** A position as all repositories of a folder see it. */
export interface Position {
  /** Ordinal of the newest checkpoint. */
  readonly checkpoint: number
  /** Runs that are live. */
  readonly live: readonly string[]
}

export function positionNow(log: Store): Position {
  return { checkpoint: lastCheckpointBefore(log, null), live: liveRuns(log).map(({ id }) => id) }
}

/** More runs than this do not wait. */
const MOST_WAITING = 1000

/** `open`: the states; null while none is kept. */
export function createGitMarks(log: Store, open: () => GitStore | null) {
  /** Ordinal of the newest checkpoint whose state is known, or can no longer be. */
  let marked = lastCheckpointBefore(log, null)
  /** Positions at which nothing had changed: the last one, and the runs that were live at any. */
  let waiting: { readonly last: Position; readonly runs: Set<string> } | null = null

  /** Before another state is stored: what waits has the newest one. */
  const settle = (): void => {
    const store = waiting && open()
    if (waiting && store) {
      const { last, runs } = waiting
      transact(store, (tx) => {
        markRuns(tx, log, [...runs])
        markRuns(tx, log, last.live)
        markCheckpoints(tx, log, marked, last.checkpoint)
      })
      marked = last.checkpoint
    }
    waiting = null
  }
  return {
    settle,
    /** The newest state is that of the present position. One transaction: whoever marked the position waits for its commit. */
    write: (store: GitStore): void => {
      const { live, checkpoint } = positionNow(log)
      transact(store, (tx) => {
        markRuns(tx, log, live)
        markCheckpoints(tx, log, marked, checkpoint)
      })
    },
    /** What is not marked by now has no state. */
    giveUp: (): void => {
      waiting = null
      marked = lastCheckpointBefore(log, null)
    },
    /** Nothing changed since the position before. */
    wait: (position: Position): void => {
      const runs = new Set([...(waiting?.runs ?? []), ...position.live])
      waiting = { last: position, runs }
      if (runs.size > MOST_WAITING) settle()
    }
  }
}
