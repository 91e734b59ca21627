/** An engine query as a hook: repeated when its params change and when the engine reports a change. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Method, Params, Result } from '../../contract/api.ts'
import type { ChangeName } from './changes.ts'
import { useDriftline } from './context.tsx'
import { createQuery, type QueryState } from './query.ts'

export interface QueryOptions {
  /** Workspace whose changes matter; null: the list of workspaces. */
  readonly workspace: string | null
  /** Kinds of change that can affect the result. */
  readonly on: readonly ChangeName[]
  /** While this value is the same, old data stays on screen until the new data arrives. */
  readonly keepWhile?: string
}

/** Fetches only what is new and merges it into the current result. Must be the same object at every render. */
export interface IncrementalFetch<M extends Method> {
  readonly params: (current: Result<M>, params: Params<M>) => Params<M>
  readonly merge: (current: Result<M>, news: Result<M>) => Result<M>
}

export interface QueryResult<T> extends QueryState<T> {
  readonly refetch: () => void
}

/** `params` null: no request. */
export function useQuery<M extends Method>(
  method: M,
  params: Params<M> | null,
  options: QueryOptions,
  incremental?: IncrementalFetch<M>
): QueryResult<Result<M>> {
  const { client, changes } = useDriftline()
  const [query] = useState(() => createQuery<Result<M>>())
  const key = params === null ? '' : JSON.stringify([method, params])
  const { workspace } = options
  const kinds = options.on.join()
  const keepKey = options.keepWhile ?? key
  const requested = useRef({ key: '', keepKey: '' })

  useEffect(() => {
    if (key === '') return
    const [, currentParams] = JSON.parse(key) as [M, Params<M>]
    const fetch = async (current: Result<M> | null) =>
      current && incremental
        ? incremental.merge(current, await client.call(method, incremental.params(current, currentParams)))
        : client.call(method, currentParams)
    query.fetchWith(fetch, requested.current.keepKey === keepKey)
    requested.current = { key, keepKey }
  }, [client, method, key, query, keepKey, incremental])

  useEffect(() => {
    if (key === '') return
    const relevant = kinds.split(',')
    return changes.listen(workspace, (change) => {
      if (change.kinds === null || change.kinds.some((kind) => relevant.includes(kind))) query.refetch()
    })
  }, [changes, workspace, kinds, key, query])

  useEffect(() => () => query.close(), [query])

  const state = useSyncExternalStore(query.subscribe, query.state)
  return { ...visibleState(), refetch: query.refetch }

  /** Between new params and the effect that requests them, old data must not count as current. */
  function visibleState(): QueryState<Result<M>> {
    if (key === '') return NO_DATA
    if (requested.current.key === key) return state
    return { ...NO_DATA, data: requested.current.keepKey === keepKey ? state.data : null }
  }
}

const NO_DATA = { data: null, current: false, loading: false, error: null } as const
