/** Storage: what the history takes, and sweeps. */
import { dirname } from 'node:path'
import type { EngineContext } from '../context.ts'
import { limitsOf } from '../retention/limits.ts'
import { retainedNow } from '../retention/positions.ts'
import { usageOf } from '../retention/usage.ts'
import { ingestSpool } from './agents.ts'
import type { Handlers } from './handler.ts'

export const STORAGE: Handlers<'storage.get' | 'gc.run'> = {
  'storage.get': ({ registry }: EngineContext, { workspace }) => {
    const open = registry.open(workspace)
    const { budget, days, own } = limitsOf(registry.setting, open.workspace.id)
    return {
      ...usageOf(open.store),
      budget,
      days,
      own,
      ...retainedNow(open.store, open.now(), days),
      disk: open.space.measure(),
      folder: dirname(open.store.file)
    }
  },
  'gc.run': async (context: EngineContext, { workspace, dryRun, budget, days, never }) => {
    const { registry } = context
    // Spooled events may hold content of excluded files, too.
    if (never && !dryRun) await ingestSpool(context)
    const open = registry.open(workspace)
    const limits = limitsOf(registry.setting, open.workspace.id)
    // Limits other than the settings are only for a dry run.
    const applied = dryRun ? { budget: budget ?? limits.budget, days: days ?? limits.days } : limits
    return open.sweep({ budget: applied.budget, days: applied.days }, dryRun, { never: never ?? false })
  }
}
