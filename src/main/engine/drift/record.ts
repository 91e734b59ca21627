/** Records differences as edits of the live runs, or of the open drift, whose count always matches its edits. */

import { isFolderPresent } from '../capture/presence.ts'
import {
  type Reconciled,
  type ReconcileOptions,
  type RecordingContext,
  reconcile,
  type Scope
} from '../capture/reconcile.ts'
import { unfinishedPaths } from '../store/restore-items.ts'
import { authorsNow } from './authors.ts'
import { type DriftCause, outsideAuthor, refreshOpenDrift } from './drifts.ts'

/** `cause`: the reason noted for outside edits. Paths of unfinished restores are skipped. Call inside the workspace's lock. */
export function recordChanges(
  context: RecordingContext,
  scope: Scope,
  cause: DriftCause,
  options: Pick<ReconcileOptions, 'deep' | 'named'> = {}
): Promise<Reconciled> {
  const { store } = context
  let outside = false
  return reconcile(
    context,
    scope,
    (tx) => {
      outside = false
      return authorsNow(tx, () => {
        outside = true
        return outsideAuthor(tx, cause, context.now())
      })
    },
    {
      skip: () => unfinishedPaths(store),
      ...options,
      isFolderPresent: () => isFolderPresent(context),
      onAppended: (tx) => {
        if (outside) refreshOpenDrift(tx)
      }
    }
  )
}
