/**
 * [RS-18] One damaged content costs one path. A call that finds content damaged marks it and is made again: from then
 * on, every version with this content is one whose content is not stored, which plans, diffs and exports name.
 */
import type { Method } from '../../../contract/api.ts'
import { recordDamageOf } from '../checkpoints/damage.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'

type AnyHandler = (open: OpenWorkspace, ...rest: readonly unknown[]) => unknown

/** For calls that change nothing before they have read what they need. */
export function withoutDamaged<M extends Method>(handlers: WorkspaceHandlers<M>): WorkspaceHandlers<M> {
  return Object.fromEntries(
    Object.entries<AnyHandler>(handlers as never).map(([method, handler]) => [
      method,
      async (open: OpenWorkspace, ...rest: readonly unknown[]) => {
        for (;;) {
          try {
            return await handler(open, ...rest)
          } catch (error) {
            if (!recordDamageOf(open.store, error)) throw error
            open.notifyChanged(['checkpoints'])
          }
        }
      }
    ])
  ) as never
}
