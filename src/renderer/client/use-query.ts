/** A question to the engine as a hook: asked again when its params change and when the engine says so. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Method, Params, Result } from '../../contract/api.ts'
import type { ChangeName } from './changes.ts'
import { useDriftline } from './context.tsx'
import { createQuery, type QueryState } from './query.ts'

export interface QueryOptions {
  /** Workspace whose changes matter; null: the list of workspaces. */
  readonly workspace: string | null
  /** Kinds of change after which the answer may differ. */
  readonly on: readonly ChangeName[]
  /** Same value: a new answer replaces the old one in place, so the old one stays on screen until then. */
  readonly keepWhile?: string
}

/** How an answer that is there goes on: only what is new is asked for, and put onto it. The same object at every call. */
export interface IncrementalFetch<M extends Method> {
  readonly params: (answer: Result<M>, params: Params<M>) => Params<M>
  readonly merge: (answer: Result<M>, news: Result<M>) => Result<M>
}

export interface QueryResult<T> extends QueryState<T> {
  readonly refetch: () => void
}

/** `params` null: nothing is asked. */
export function useQuery<M extends Method>(
  method: M,
  params: Params<M> | null,
  options: QueryOptions,
  goingOn?: IncrementalFetch<M>
): QueryResult<Result<M>> {
  const { client, changes } = useDriftline()
  const [query] = useState(() => createQuery<Result<M>>())
  const key = params === null ? '' : JSON.stringify([method, params])
  const { workspace } = options
  const kinds = options.on.join()
  const keepKey = options.keepWhile ?? key
  const asked = useRef({ key: '', keepKey: '' })

  useEffect(() => {
    if (key === '') return
    const [, question] = JSON.parse(key) as [M, Params<M>]
    const fetch = async (answer: Result<M> | null) =>
      answer && goingOn
        ? goingOn.merge(answer, await client.call(method, goingOn.params(answer, question)))
        : client.call(method, question)
    query.fetchWith(fetch, asked.current.keepKey === keepKey)
    asked.current = { key, keepKey }
  }, [client, method, key, query, keepKey, goingOn])

  useEffect(() => {
    if (key === '') return
    const wanted = kinds.split(',')
    return changes.listen(workspace, (change) => {
      if (change.kinds === null || change.kinds.some((kind) => wanted.includes(kind))) query.refetch()
    })
  }, [changes, workspace, kinds, key, query])

  useEffect(() => () => query.close(), [query])

  const state = useSyncExternalStore(query.subscribe, query.state)
  return { ...shown(), refetch: query.refetch }

  /** Between a new question and the effect that asks it, the old answer is not an answer. */
  function shown(): QueryState<Result<M>> {
    if (key === '') return NOTHING
    if (asked.current.key === key) return state
    return { ...NOTHING, data: asked.current.keepKey === keepKey ? state.data : null }
  }
}

const NOTHING = { data: null, current: false, loading: false, error: null } as const
