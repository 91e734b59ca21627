/** Listing and accepting drift. Undoing it is a restore (restore.ts). */
import { DriftlineError } from '../../../contract/errors.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { closeDrift, findDrift, listDrift } from '../drift/drifts.ts'
import { resolveTarget } from '../store/targets.ts'
import { scanWorkspace } from '../workspaces/dead-runs.ts'
import type { Handlers } from './handler.ts'

export const DRIFT: Handlers<'drift.list' | 'drift.accept'> = {
  'drift.list': async ({ registry }, { workspace, check }) => {
    const open = registry.open(workspace)
    if (check) await open.lock.run(() => scanWorkspace(open, 'present'))
    return { drift: listDrift(open.store, 'open') }
  },
  'drift.accept': ({ registry }, { workspace, drift, paths }) => {
    const open = registry.open(workspace)
    const { id, kind } = resolveTarget(open.store, drift)
    const found = kind === 'drift' ? findDrift(open.store, id) : null
    if (!found)
      throw new DriftlineError('UnknownTarget', `No outside change "${drift}" was recorded here.`, { target: drift })
    write(open.store.db, () => {
      closeDrift(open.store, id, 'accepted', paths)
      bumpRev(open.store.db)
    })
    open.notifyChanged(['drift', 'status'])
    return { drift: findDrift(open.store, id) ?? found }
  }
}
