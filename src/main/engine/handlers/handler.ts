/** The types of the functions that answer the methods of the contract. */
import type { Method, Params, Result } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EngineContext } from '../context.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'

export type Handlers<M extends Method> = {
  readonly [K in M]: (context: EngineContext, params: Params<K>) => Promise<Result<K>> | Result<K>
}

/** Methods about one workspace get it open. */
export type WorkspaceHandlers<M extends Method> = {
  readonly [K in M]: (open: OpenWorkspace, params: Params<K>, context: EngineContext) => Promise<Result<K>> | Result<K>
}

type AnyHandler = (open: OpenWorkspace, params: { readonly workspace: string }, context: EngineContext) => unknown

export function inWorkspace<M extends Method>(handlers: WorkspaceHandlers<M>): Handlers<M> {
  return Object.fromEntries(
    Object.entries<AnyHandler>(handlers as never).map(([method, handler]) => [
      method,
      (context: EngineContext, params: { readonly workspace: string }) => {
        const open = context.registry.open(params.workspace)
        if (open.workspace.bundle) requireRead(method)
        return handler(open, params, context)
      }
    ])
  ) as never
}

/** What a review of a bundle answers. Everything else would record, restore or send something. */
const READS: ReadonlySet<string> = new Set<Method>([
  ...(['workspace.status', 'coverage.list', 'timeline.list', 'entry.show', 'checkpoint.list', 'drift.list'] as const),
  ...(['diff.files', 'diff.patch', 'diff.file', 'file.cat', 'file.paths', 'file.history', 'file.blame'] as const),
  ...(['search.run', 'sessions.list', 'sessions.show', 'sessions.messages', 'sessions.find'] as const),
  ...(['comments.list', 'comments.counts', 'review.findings', 'review.get', 'review.list'] as const),
  ...(['export.run', 'replay.edits', 'replay.file', 'git.changes', 'git.lost', 'storage.get', 'events.list'] as const)
])

function requireRead(method: string): void {
  if (READS.has(method)) return
  throw new DriftlineError(
    'Refused',
    'This is a review of a bundle, which can only be read. Nothing was changed. To use its changes, apply them to a recorded folder.',
    { method }
  )
}
