/**
 * A request to the engine as a hook: repeated when its params change and when the engine reports a change.
 * Invariant: `data` is the same object until its content changes, so that a pane renders for a change and not for a
 * fetch.
 * Data that grows without end, such as a timeline, is fetched once and then extended (IncrementalFetch): an answer
 * costs what is new, not what exists.
 */
import {
  hashKey,
  keepPreviousData,
  type QueryKey,
  skipToken,
  useQueries as useCachedQueries,
  useQuery as useCachedQuery
} from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Method, Params, Result } from '../../contract/api.ts'
import { type ErrorShape, toErrorShape } from '../../contract/errors.ts'
import { useDriftline } from './context.tsx'
import { staleTimeOf } from './queries.ts'

interface QueryOptions<M extends Method> {
  /** Data of the previous params stays on screen until the new data arrives. */
  readonly keep?: boolean
  /** The newer side of a diff still moves. */
  readonly live?: boolean
  /** The data never changes: it is fetched only once. */
  readonly once?: boolean
  /** The data is dropped with the component: a preview must not show an older one first. */
  readonly fresh?: boolean
  /** Of this computer, also where the page shows another machine. */
  readonly here?: boolean
  /** Must be the same object at every render. */
  readonly incremental?: IncrementalFetch<M>
}

/** Fetches only what is new and merges it into the loaded data. */
export interface IncrementalFetch<M extends Method> {
  /** `all`: what is loaded may have changed, too. */
  readonly params: (loaded: Result<M>, params: Params<M>, all: boolean) => Params<M>
  /** `all`: as in `params`. */
  readonly merge: (loaded: Result<M>, news: Result<M>, all: boolean) => Result<M>
  /** Keeps the objects of `before` whose content did not change; by default those at the same place. */
  readonly share?: (before: Result<M> | undefined, after: Result<M>) => Result<M>
}

interface QueryResult<T> {
  readonly data: T | null
  /** Whether `data` answers the current request; false for older data that is kept on screen. */
  readonly current: boolean
  /** A fetch has run for 150 ms: dim what is shown. */
  readonly loading: boolean
  readonly error: ErrorShape | null
  readonly refetch: () => void
}

/** `params` null: no request. */
export function useQuery<M extends Method>(
  method: M,
  params: Params<M> | null,
  { keep = false, live = false, once = false, fresh = false, here = false, incremental }: QueryOptions<M> = {}
): QueryResult<Result<M>> {
  const shown = useDriftline()
  const { client, queries, host } = here ? shown.here : shown
  const queryKey = keyOf(method, params, host)
  const hash = hashKey(queryKey)
  const fetch = async (): Promise<Result<M>> => {
    const query = queries.cache.getQueryCache().get<Result<M>>(hash)
    const loaded = query?.state.data
    if (!incremental || loaded === undefined) return client.call(method, params as Params<M>)
    const everything = query?.state.isInvalidated === true
    const news = await client.call(method, incremental.params(loaded, params as Params<M>, everything))
    return incremental.merge(query?.state.data ?? loaded, news, everything)
  }
  const { data, error, isPlaceholderData } = useCachedQuery<Result<M>>({
    queryKey,
    queryFn: params === null ? skipToken : fetch,
    meta: { live },
    staleTime: once ? Number.POSITIVE_INFINITY : staleTimeOf(method),
    ...(fresh ? { gcTime: 0 } : {}),
    ...(incremental?.share ? { structuralSharing: incremental.share as never } : {}),
    notifyOnChangeProps: ['data', 'error', 'isPlaceholderData'],
    ...(keep && params !== null ? { placeholderData: keepPreviousData as never } : {})
  })
  const loading = useSyncExternalStore(queries.subscribeSlow, () => params !== null && queries.isSlow(hash))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash stands for the key.
  const refetch = useCallback(() => queries.repeat(queryKey), [queries, hash])
  return {
    data: data ?? null,
    current: data !== undefined && !isPlaceholderData,
    loading,
    error: useMemo(() => (error ? toErrorShape(error) : null), [error]),
    refetch
  }
}

/** The same request to several workspaces, wherever they are, in their order. */
export function useEachQuery<M extends Method>(
  method: M,
  list: readonly Params<M>[]
): readonly { readonly data: Result<M> | null; readonly error: ErrorShape | null }[] {
  const { client } = useDriftline().here
  const results = useCachedQueries({
    queries: list.map((params) => ({
      queryKey: [method, params],
      queryFn: (): Promise<Result<M>> => client.call(method, params)
    }))
  })
  return results.map(({ data, error }) => ({ data: data ?? null, error: error ? toErrorShape(error) : null }))
}

/** A workspace names its host itself. */
function keyOf(method: Method, params: object | null, host: string | null): QueryKey {
  const isHostWide = host !== null && params !== null && !('workspace' in params)
  return isHostWide ? [method, params, host] : [method, params]
}

/** How a person starts the command line in a terminal; its bare name while that is loading. */
export function useCommand(): string {
  const { host } = useDriftline()
  const command = useCommandHere()
  return host === null ? command : `${command} --host ${host}`
}

/** The same for the recorder of this computer. */
export function useCommandHere(): string {
  return useQuery('app.command', {}, { once: true, here: true }).data?.command ?? 'driftline'
}

/** The home folder, to shorten paths; "" while it is loading. */
export function useHome(): string {
  return useQuery('app.info', {}, { once: true }).data?.home ?? ''
}
