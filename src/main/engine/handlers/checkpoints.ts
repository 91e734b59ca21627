/** Pinning and listing checkpoints. */
import type { Seq } from '../../../contract/log.ts'
import { importWholeTranscript } from '../agents/catch-up.ts'
import { addCheckpoint, listCheckpoints } from '../checkpoints/checkpoints.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { currentSession } from '../runs/position.ts'
import { bumpRev } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import { resolveTarget } from '../store/targets.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const CHECKPOINTS: WorkspaceHandlers<'checkpoint.create' | 'checkpoint.list'> = {
  'checkpoint.create': (open, { label, target }) =>
    open.lock.run(async () => {
      if (target === undefined) await open.refresh('position')
      requireDiskSpace(open.space, 'The checkpoint was not created.')
      if (target !== undefined) return addPin(open, { label, seq: resolveTarget(open.store, target).seq })
      // Messages that are in the transcript but not read yet come before the pin.
      const session = currentSession(open.store)?.id ?? null
      if (session !== null) importWholeTranscript(open, session)
      return addPin(open, { label, session })
    }),
  'checkpoint.list': ({ store }, { run, session, all }) => {
    const runId = run === undefined ? undefined : (resolveTarget(store, run).run ?? run)
    return { checkpoints: listCheckpoints(store, { run: runId, session, all }) }
  }
}

/** `seq`: an earlier position. */
function addPin(
  open: OpenWorkspace,
  pin: { readonly label: string; readonly session?: string | null; readonly seq?: Seq }
): { checkpoint: string; seq: Seq } {
  const created = transact(open.store, (tx) => {
    const checkpoint = addCheckpoint(tx, open.root, { reason: 'manual', ...pin }, open.now())
    bumpRev(tx)
    return checkpoint
  })
  open.notifyChanged(['checkpoints'])
  return { checkpoint: created.id, seq: created.seq }
}
