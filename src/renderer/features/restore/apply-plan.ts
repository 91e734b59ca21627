/** Applies the plan that was shown to the person, and only that (RS-2). */
import type { Client } from '../../../contract/api.ts'
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import type { Resolutions, RestorePlan, RestoreRequest } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { diskDiffersFrom } from './dialog-state.ts'

export const CHANGED_DURING_PREPARATION = 'Files changed during preparation. Nothing was written. Retry.'

interface Confirmed {
  readonly workspace: WorkspaceId
  readonly request: RestoreRequest
  /** The plan as shown; null applies the engine's current plan, because the shown one was already written in part. */
  readonly shown: RestorePlan | null
  readonly resolutions: Resolutions
  /** The person made no choice: the shown plan can be applied as it is. */
  readonly asShown: boolean
}

/** What is applied: `plan` undefined for whatever the engine plans now. */
interface Agreed extends Pick<Confirmed, 'workspace' | 'request' | 'resolutions'> {
  readonly plan?: string
}

/**
 * `apply`: writes the plan, or queues it. Throws PlanStale or RunIsLive if nothing was written because the disk or the
 * runs changed, else what the call threw.
 */
export async function applyPlan<T>(
  client: Client,
  confirmed: Confirmed,
  apply: (agreed: Agreed) => Promise<T>
): Promise<T> {
  const { workspace, request, shown, resolutions } = confirmed
  const agreed = { workspace, request, resolutions }
  if (!shown) return await apply(agreed)
  if (confirmed.asShown) {
    const result = await apply({ ...agreed, plan: shown.plan }).catch(nullIfStale)
    if (result) return result
  }
  // Resolutions make another plan. It is valid only if the disk has not changed since the shown plan.
  const planned = await client.call('restore.plan', { workspace, request, resolutions })
  if (diskDiffersFrom(shown, planned)) throw new DriftlineError('PlanStale', CHANGED_DURING_PREPARATION)
  return await apply({ ...agreed, plan: planned.plan })
}

/** Turns a stale plan into null, so that the caller plans again. */
function nullIfStale(reason: unknown): null {
  if (toErrorShape(reason).code === 'PlanStale') return null
  throw reason
}
