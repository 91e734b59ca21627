/** What differs from the log becomes Edits of those who work now, or of the open Drift, whose count is always that of its Edits. */
import { type Reconciled, type ReconcileOptions, reconcile, type Scope } from '../capture/reconcile.ts'
import { unfinishedPaths } from '../restore/journal.ts'
import { authorsNow } from '../sessions/authors.ts'
import { isFolderPresent } from '../workspaces/presence.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { type DriftCause, outsideAuthor, refreshOpenDrift } from './drifts.ts'

/** `cause`: why files may differ that nobody claims. What an unfinished restore touches is left out. Call inside the workspace's lock. */
export function recordChanges(
  recorder: Recorder,
  scope: Scope,
  cause: DriftCause,
  options: Pick<ReconcileOptions, 'deep' | 'named'> = {}
): Promise<Reconciled> {
  const { store } = recorder
  let outside = false
  return reconcile(
    recorder,
    scope,
    () => {
      outside = false
      return authorsNow(store, () => {
        outside = true
        return outsideAuthor(store, cause, recorder.now())
      })
    },
    {
      skip: () => unfinishedPaths(store),
      ...options,
      isFolderPresent: () => isFolderPresent(recorder),
      onAppended: () => {
        if (outside) refreshOpenDrift(store)
      }
    }
  )
}
