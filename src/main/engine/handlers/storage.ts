/** What the history takes, and giving space back. */
import { dirname } from 'node:path'
import type { EngineContext } from '../context.ts'
import { boundsOf } from '../retention/bounds.ts'
import { retainedNow } from '../retention/positions.ts'
import { usageOf } from '../retention/usage.ts'
import { takeSpooled } from './agents.ts'
import type { Handlers } from './handler.ts'

export const STORAGE: Handlers<'storage.get' | 'gc.run'> = {
  'storage.get': ({ registry }: EngineContext, { workspace }) => {
    const open = registry.open(workspace)
    const { budget, days, own } = boundsOf(registry.setting, open.workspace.id)
    return {
      ...usageOf(open.store),
      budget,
      days,
      own,
      ...retainedNow(open.store, open.now(), days),
      disk: open.space.look(),
      folder: dirname(open.store.file)
    }
  },
  'gc.run': async (context: EngineContext, { workspace, dryRun, budget, days, never }) => {
    const { registry } = context
    // What hooks left in the spool may hold it, too.
    if (never && !dryRun) await takeSpooled(context)
    const open = registry.open(workspace)
    const bounds = boundsOf(registry.setting, open.workspace.id)
    // Other bounds than those that are set are only ever tried.
    const tried = dryRun ? { budget: budget ?? bounds.budget, days: days ?? bounds.days } : bounds
    return open.sweep({ budget: tried.budget, days: tried.days }, dryRun, { never: never ?? false })
  }
}
