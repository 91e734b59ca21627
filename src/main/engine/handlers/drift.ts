/** Listing and accepting drift. Undoing it is a restore (restore.ts). */
import { DriftlineError } from '../../../contract/errors.ts'
import { closeDrift, findDrift, listDrift } from '../drift/drifts.ts'
import { bumpRev } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import { resolveTarget } from '../store/targets.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const DRIFT: WorkspaceHandlers<'drift.list' | 'drift.accept'> = {
  'drift.list': async (open, { check }) => {
    if (check) await open.lock.run(() => open.refresh('present'))
    return { drift: listDrift(open.store, 'open') }
  },
  'drift.accept': (open, { drift, paths }) => {
    const { id, kind } = resolveTarget(open.store, drift)
    const found = kind === 'drift' ? findDrift(open.store, id) : null
    if (!found)
      throw new DriftlineError('UnknownTarget', `No outside change "${drift}" was recorded here.`, { target: drift })
    if (found.state === 'put-back')
      throw new DriftlineError('Refused', 'These outside changes were undone, so there is nothing to accept.', {
        drift: found.id
      })
    transact(open.store, (tx) => {
      closeDrift(tx, id, 'accepted', paths)
      bumpRev(tx)
    })
    open.notifyChanged(['drift', 'status'])
    return { drift: findDrift(open.store, id) ?? found }
  }
}
