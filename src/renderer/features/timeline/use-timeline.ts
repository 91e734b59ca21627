/** The loaded part of a workspace's timeline: grows downwards as it is read, follows changes at the top. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { createQuery, type Query } from '../../client/query.ts'
import { type Page, type Pages, withNewest, withOlder } from './pages.ts'

const FIRST_PAGE = 200
const NEXT_PAGE = 1000
const ALL = 10_000

export type EntryKind = TimelineEntry['kind']

export interface Timeline {
  readonly pages: Pages | null
  readonly loading: boolean
  readonly error: ErrorShape | null
  loadOlder(): void
  /** Loads up to 10,000 entries, for End. */
  loadAll(): Promise<void>
  retry(): void
}

export function useTimeline(workspace: WorkspaceId, text: string, kinds: readonly EntryKind[] | null): Timeline {
  const { client, changes } = useDriftline()
  const [pages, setPages] = useState<Pages | null>(null)
  const [status, setStatus] = useState<{ loading: boolean; error: ErrorShape | null }>({ loading: false, error: null })
  const loaded = useRef<Pages | null>(null)
  const query = useRef<Query<Page> | null>(null)
  const olderRunning = useRef<Promise<void> | null>(null)
  const limit = useRef(FIRST_PAGE)
  const kindKey = kinds?.join() ?? ''

  const put = useCallback((next: Pages | null) => {
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
    const mine = createQuery<Page>()
    query.current = mine
    limit.current = FIRST_PAGE
    let fresh = true
    const stop = mine.subscribe(() => {
      const state = mine.state()
      setStatus({ loading: state.loading, error: state.error })
      if (state.current && state.data && !state.loading) {
        put(fresh ? state.data : withNewest(loaded.current, state.data))
        fresh = false
      }
    })
    mine.ask(() => client.call('timeline.list', { ...filter(), limit: limit.current }), true)
    const unlisten = changes.listen(workspace, ({ kinds: changed }) => {
      // Restores and gaps change old entries too; other changes show at the top.
      const old = changed === null || changed.includes('restores')
      limit.current = old ? Math.min(ALL, Math.max(FIRST_PAGE, loaded.current?.entries.length ?? 0)) : FIRST_PAGE
      if (changed === null || changed.some((kind) => kind !== 'status')) mine.refetch()
    })
    return () => {
      stop()
      unlisten()
      mine.close()
    }
  }, [client, changes, workspace, filter, put])

  const older = useCallback(
    async (most: number) => {
      const before = loaded.current?.entries.at(-1)?.id
      if (!loaded.current?.more || !before) return
      const asked = filter()
      try {
        const page = await client.call('timeline.list', { ...asked, limit: most, before })
        const now = loaded.current
        if (now?.entries.at(-1)?.id === before) put(withOlder(now, page))
      } catch (error) {
        // Older entries that cannot be read leave the newer ones on screen.
        setStatus({ loading: false, error: toErrorShape(error) })
      }
    },
    [client, filter, put]
  )
  /** One at a time: a page asked for while another is on its way starts where that one ends. */
  const inTurn = useCallback(
    (most: number) => {
      const mine = (olderRunning.current ?? Promise.resolve()).then(() => older(most))
      olderRunning.current = mine
      void mine.then(() => {
        if (olderRunning.current === mine) olderRunning.current = null
      })
      return mine
    },
    [older]
  )

  return {
    pages,
    loading: status.loading,
    error: status.error,
    loadOlder: useCallback(() => {
      if (!olderRunning.current) void inTurn(NEXT_PAGE)
    }, [inTurn]),
    loadAll: useCallback(() => inTurn(ALL), [inTurn]),
    retry: useCallback(() => query.current?.refetch(), [])
  }
}
