/**
 * The loaded part of a workspace's timeline.
 * Invariant: the loaded entries are the newest ones and, once a person went to the end, the oldest ones, with one gap
 * between them. Changes refresh the top; older pages are queued, each starting where the one before it ended, and
 * dropped if the list no longer ends there.
 */
import { useCallback, useMemo, useRef, useState } from 'react'
import { type ErrorShape, toErrorShape } from '../../contract/errors.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'
import { useDriftline } from '../client/context.tsx'
import { type IncrementalFetch, useQuery } from '../client/use-query.ts'
import type { EntryFilter } from '../model/entry-filter.ts'
import { addOldest, appendOlder, replaceNewest, sharePages, type TimelinePage } from './timeline-pages.ts'

const FIRST_PAGE = 200
const NEXT_PAGE = 1000
const MAX_ENTRIES = 10_000
/** Entries that are loaded at the end of the timeline. */
const LAST_PAGE = 100

export type Timeline = ReturnType<typeof useTimeline>

/** New entries come at the top; only a restore, or a gap in the events, can change the older ones. */
const NEWEST: IncrementalFetch<'timeline.list'> = {
  params: ({ entries }, params, all) => ({
    ...params,
    limit: all ? Math.min(MAX_ENTRIES, Math.max(FIRST_PAGE, entries.length)) : FIRST_PAGE
  }),
  merge: replaceNewest,
  share: sharePages
}

export function useTimeline(workspace: WorkspaceId, filter: EntryFilter) {
  const params = useListParams(workspace, filter)
  const { data, current, loading, error, refetch } = useQuery('timeline.list', params, {
    keep: true,
    incremental: NEWEST
  })
  const { failed, older, loadOldest } = usePages(params)
  const { find, loadOlder } = useOlderQueue(params, older)
  const pageError = failed !== null && failed.after === data ? failed.error : null

  const pages: TimelinePage | null = data
  return useMemo(
    () => ({ pages, current, loading, error: error ?? pageError, find, loadOlder, loadOldest, retry: refetch }),
    [pages, current, loading, error, pageError, find, loadOlder, loadOldest, refetch]
  )
}

type ListParams = ReturnType<typeof useListParams>

function useListParams(workspace: WorkspaceId, filter: EntryFilter) {
  const { text, kinds, agent, since, undecided, path, conflicts } = filter
  return useMemo(
    () => ({
      workspace,
      ...(text ? { text } : {}),
      ...(kinds === 'all' ? {} : { kinds: [kinds] }),
      ...(agent ? { agent } : {}),
      ...(since > 0 ? { since } : {}),
      ...(undecided ? { undecided } : {}),
      ...(path ? { path: path.replace(/\/$/, '') } : {}),
      ...(conflicts ? { conflicts } : {}),
      limit: FIRST_PAGE
    }),
    [workspace, text, kinds, agent, since, undecided, path, conflicts]
  )
}

/** Requests of a page, each of which resolves to whether entries were added. `failed`: the last one that did not come. */
function usePages(params: ListParams) {
  const { client, queries } = useDriftline()
  const [failed, setFailed] = useState<{ readonly after: TimelinePage; readonly error: ErrorShape } | null>(null)

  const older = useCallback(
    async (limit: number): Promise<boolean> => {
      const key = ['timeline.list', params]
      const loaded = queries.cache.getQueryData<TimelinePage>(key)
      const before = loaded?.entries.at(-1)?.id
      if (!loaded?.more || !before) return false
      try {
        const page = await client.call('timeline.list', { ...params, limit, before })
        // If the list was reset or extended meanwhile, the page no longer connects.
        queries.cache.setQueryData<TimelinePage>(key, (now) =>
          now?.entries.at(-1)?.id === before ? appendOlder(now, page) : now
        )
        return page.entries.length > 0
      } catch (thrown) {
        setFailed({ after: loaded, error: toErrorShape(thrown) })
        return false
      }
    },
    [client, queries, params]
  )
  /** Loads the oldest entries. */
  const loadOldest = useCallback(async (): Promise<boolean> => {
    const key = ['timeline.list', params]
    const loaded = queries.cache.getQueryData<TimelinePage>(key)
    if (!loaded?.more || loaded.oldest) return false
    try {
      const page = await client.call('timeline.list', { ...params, limit: LAST_PAGE, oldest: true })
      queries.cache.setQueryData<TimelinePage>(key, (now) => now && addOldest(now, page))
      return page.entries.length > 0
    } catch (thrown) {
      setFailed({ after: loaded, error: toErrorShape(thrown) })
      return false
    }
  }, [client, queries, params])
  return { failed, older, loadOldest }
}

/** Requests older pages one after another: each one starts where the one before it ended. */
function useOlderQueue(params: ListParams, older: (limit: number) => Promise<boolean>) {
  const { queries } = useDriftline()
  const running = useRef<Promise<boolean> | null>(null)

  const queueOlder = useCallback(
    (limit: number) => {
      const done = (running.current ?? Promise.resolve(false)).then(() => older(limit))
      running.current = done
      void done.then(() => {
        if (running.current === done) running.current = null
      })
      return done
    },
    [older]
  )
  const loadOlder = useCallback(() => {
    if (!running.current) void queueOlder(NEXT_PAGE)
  }, [queueOlder])
  /** Loads the newest and then older entries until this one is loaded. Resolves to whether it is. */
  const find = useCallback(
    async (entry: string): Promise<boolean> => {
      const key = ['timeline.list', params]
      const isLoaded = () => {
        const { entries = [], oldest = [] } = queries.cache.getQueryData<TimelinePage>(key) ?? {}
        return [entries, oldest].some((list) => list.some(({ id }) => id === entry))
      }
      await queries.fetchNow(key)
      while (!isLoaded() && (await queueOlder(MAX_ENTRIES)));
      return isLoaded()
    },
    [queries, params, queueOlder]
  )
  return { find, loadOlder }
}
