/** The loaded part of a workspace's timeline. Pages of older entries are added on demand; changes refresh the top. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { createQuery, type Query } from '../../client/query.ts'
import { appendOlder, replaceNewest, type TimelinePage } from './pages.ts'

const FIRST_PAGE = 200
const NEXT_PAGE = 1000
const MAX_ENTRIES = 10_000

export type EntryKind = TimelineEntry['kind']

export interface Timeline {
  readonly pages: TimelinePage | null
  readonly loading: boolean
  readonly error: ErrorShape | null
  loadOlder(): void
  /** Loads up to 10,000 entries, so that End reaches the oldest one. */
  loadAll(): Promise<void>
  retry(): void
}

export function useTimeline(workspace: WorkspaceId, text: string, kinds: readonly EntryKind[] | null): Timeline {
  const { client, changes } = useDriftline()
  const [pages, setPages] = useState<TimelinePage | null>(null)
  const [status, setStatus] = useState<{ loading: boolean; error: ErrorShape | null }>({ loading: false, error: null })
  const loaded = useRef<TimelinePage | null>(null)
  const query = useRef<Query<TimelinePage> | null>(null)
  const olderRunning = useRef<Promise<void> | null>(null)
  const limit = useRef(FIRST_PAGE)
  const kindKey = kinds?.join() ?? ''

  const put = useCallback((next: TimelinePage | null) => {
    loaded.current = next
    setPages(next)
  }, [])
  const filter = useCallback(
    () => ({
      workspace,
      ...(text ? { text } : {}),
      ...(kindKey ? { kinds: kindKey.split(',') as EntryKind[] } : {})
    }),
    [workspace, text, kindKey]
  )

  useEffect(() => {
    const newest = createQuery<TimelinePage>()
    query.current = newest
    limit.current = FIRST_PAGE
    let fresh = true
    const stop = newest.subscribe(() => {
      const state = newest.state()
      setStatus({ loading: state.loading, error: state.error })
      if (state.current && state.data && !state.loading) {
        put(fresh ? state.data : replaceNewest(loaded.current, state.data))
        fresh = false
      }
    })
    newest.fetchWith(() => client.call('timeline.list', { ...filter(), limit: limit.current }), true)
    const unlisten = changes.listen(workspace, ({ kinds: changed }) => {
      // A restore or a gap in the events (null) can change old entries; other kinds only add at the top.
      const changesOld = changed === null || changed.includes('restores')
      limit.current = changesOld
        ? Math.min(MAX_ENTRIES, Math.max(FIRST_PAGE, loaded.current?.entries.length ?? 0))
        : FIRST_PAGE
      if (changed === null || changed.some((kind) => kind !== 'status')) newest.refetch()
    })
    return () => {
      stop()
      unlisten()
      newest.close()
    }
  }, [client, changes, workspace, filter, put])

  const older = useCallback(
    async (pageSize: number) => {
      const before = loaded.current?.entries.at(-1)?.id
      if (!loaded.current?.more || !before) return
      try {
        const page = await client.call('timeline.list', { ...filter(), limit: pageSize, before })
        const now = loaded.current
        // The list was reset or extended meanwhile: the page no longer connects.
        if (now?.entries.at(-1)?.id === before) put(appendOlder(now, page))
      } catch (error) {
        // The newer entries stay on screen.
        setStatus({ loading: false, error: toErrorShape(error) })
      }
    },
    [client, filter, put]
  )
  /** Queues a page: each one starts where the one before it ended. */
  const queueOlder = useCallback(
    (pageSize: number) => {
      const done = (olderRunning.current ?? Promise.resolve()).then(() => older(pageSize))
      olderRunning.current = done
      void done.then(() => {
        if (olderRunning.current === done) olderRunning.current = null
      })
      return done
    },
    [older]
  )

  return {
    pages,
    loading: status.loading,
    error: status.error,
    loadOlder: useCallback(() => {
      if (!olderRunning.current) void queueOlder(NEXT_PAGE)
    }, [queueOlder]),
    loadAll: useCallback(() => queueOlder(MAX_ENTRIES), [queueOlder]),
    retry: useCallback(() => query.current?.refetch(), [])
  }
}
