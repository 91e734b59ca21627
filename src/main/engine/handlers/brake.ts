/** Runs that were stopped because they deleted too much: which, and what a person decides. */
import type { RestoreRequest } from '../../../contract/restore.ts'
import { performRestore } from '../restore/perform.ts'
import { previewRestore } from '../restore/prepare.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const BRAKE: WorkspaceHandlers<'brake.list' | 'brake.decide' | 'brake.restore'> = {
  'brake.list': (open) => ({ stopped: open.brake.list() }),
  'brake.decide': (open, { run, decision }) => {
    const stopped = open.brake.find(run)
    open.brake.decide(stopped.run, decision === 'release' ? 'released' : 'ended')
    return { run: stopped.run }
  },
  // [BR-6]
  'brake.restore': async (open, { run, dryRun }, { emit }) => {
    const stopped = open.brake.find(run)
    // What it deleted until it was frozen may not be recorded yet.
    await open.lock.run(() => open.refresh('position'))
    const request: RestoreRequest = {
      kind: 'restore',
      target: `seq:${stopped.from}`,
      paths: open.brake.lostPaths(stopped.run),
      mode: 'files'
    }
    const plan = await previewRestore(open, request, {})
    if (dryRun) return { plan, result: null }
    const result = await performRestore(open, {
      request,
      resolutions: {},
      plan: plan.plan,
      // Its run is frozen or may not write, and the person sees which files come back.
      whileLive: true,
      progress: (restore, phase, done, total, path) =>
        emit('restore.progress', { workspace: open.workspace.id, restore, phase, done, total, path })
    })
    const isBack = result.state === 'done' || result.state === 'nothing-to-do'
    // Meanwhile another window may have decided.
    if (isBack && open.brake.isHeld(stopped.run)) open.brake.decide(stopped.run, 'restored')
    return { plan, result }
  }
}
