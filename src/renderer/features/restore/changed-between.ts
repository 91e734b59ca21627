/** Two plans of the same act, compared. Pure. */
import type { PlanItem, RestorePlan } from '../../../contract/restore.ts'

/** How many paths of `after` are not as `before` planned them: what changed while a person was reading. */
export function changedBetween(before: RestorePlan, after: RestorePlan): number {
  const essence = (item: PlanItem) => JSON.stringify([item.action, item.before, item.after])
  const old = new Map(before.items.map((item) => [item.path, essence(item)]))
  let changed = 0
  for (const item of after.items) {
    if (old.get(item.path) !== essence(item)) changed++
    old.delete(item.path)
  }
  return changed + old.size
}
