/** Storage: what the history takes, and sweeps. */
import { dirname } from 'node:path'
import { limitsOf } from '../retention/limits.ts'
import { retainedNow } from '../retention/plan-sweep.ts'
import { usageOf } from '../retention/usage.ts'
import { ingestSpool } from './agents.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const STORAGE: WorkspaceHandlers<'storage.get' | 'gc.run'> = {
  'storage.get': (open) => {
    const { budget, days, own } = limitsOf(open.setting, open.workspace.id)
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
  'gc.run': async (open, { dryRun, budget, days, never }, context) => {
    // Spooled events may hold content of excluded files, too.
    if (never && !dryRun) await ingestSpool(context)
    const limits = limitsOf(open.setting, open.workspace.id)
    // Limits other than the settings are only for a dry run.
    const applied = dryRun ? { budget: budget ?? limits.budget, days: days ?? limits.days } : limits
    return open.sweep({ budget: applied.budget, days: applied.days }, { dryRun, never: never ?? false })
  }
}
