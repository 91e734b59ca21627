/** The types of the functions that answer the methods of the contract. */
import type { Method, Params, Result } from '../../../contract/api.ts'
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
      (context: EngineContext, params: { readonly workspace: string }) =>
        handler(context.registry.open(params.workspace), params, context)
    ])
  ) as never
}
