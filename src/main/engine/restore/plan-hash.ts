import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { ModePlan } from './conversation.ts'
import type { GitPlan } from './git-part.ts'
import type { Planned } from './plan-items.ts'

/**
 * [RS-2] Names a plan by everything it would do, so that a person who agreed to it gets that plan or none. What stays as it is
 * may change meanwhile: otherwise nothing could be restored beside a file that grows, such as a log.
 */
export function hashPlan(
  request: RestoreRequest,
  planned: Planned,
  { mode, to, conversation }: ModePlan,
  { work }: GitPlan
): string {
  const essence = planned.items.map((item) =>
    item.action === 'keep' ? [item.path] : [item.path, item.action, ...factsOf(item.before), ...factsOf(item.after)]
  )
  const decided = planned.conflicts.map(({ path, cause, choice }) => [path, cause, choice])
  const writes = work.map(({ item, from, to }) => [item, from, to])
  return createHash('sha256')
    .update(JSON.stringify([request.kind, essence, decided, mode, to, to && conversation?.revision, writes]))
    .digest('hex')
    .slice(0, 24)
}

/** Without the row ids, which mean nothing outside the store. */
function factsOf({ kind, size, mode, hash, target, notStored }: FileVersion) {
  return [kind, size, mode, hash, target, notStored]
}
