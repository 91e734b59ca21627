/** The type of the functions that answer the methods of the contract. */
import type { Method, Params, Result } from '../../../contract/api.ts'
import type { EngineContext } from '../context.ts'

export type Handler<M extends Method> = (context: EngineContext, params: Params<M>) => Promise<Result<M>> | Result<M>
export type Handlers<M extends Method> = { readonly [K in M]: Handler<K> }
