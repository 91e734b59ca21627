/** Records differences as edits of the live runs, or of the open drift, whose count always matches its edits. */

import { isFolderPresent } from '../capture/presence.ts'
import { type Reconciled, type ReconcileOptions, reconcile, type Scope } from '../capture/reconcile.ts'
import { unfinishedPaths } from '../restore/journal.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { authorsNow } from './authors.ts'
import { type DriftCause, outsideAuthor, refreshOpenDrift } from './drifts.ts'

/** `cause`: the reason noted for outside edits. Paths of unfinished restores are skipped. Call inside the workspace's lock. */
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
