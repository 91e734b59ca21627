/**
 * Loads the messages of a conversation in pages, from any message on, and follows its end.
 * Invariant: what is loaded is one window without gaps (`message-window.ts`). One page is fetched at a time; a jump
 * replaces a page that is being fetched, whose answer is then dropped.
 */
import { useCallback, useMemo, useRef } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { MessagePage } from '../../../contract/conversation.ts'
import { useDriftline } from '../../client/context.tsx'
import { type IncrementalFetch, useQuery } from '../../client/use-query.ts'
import { addNewer, addOlder } from './message-window.ts'

const PAGE = 100
const NEWS = 500

/** A change of the conversation fetches what follows the loaded messages, and what is in force. */
const NEWER: IncrementalFetch<'sessions.messages'> = {
  params: ({ messages, more }, { workspace, session }) => ({
    workspace,
    session,
    side: 'after',
    at: messages.at(-1)?.seq ?? 0,
    limit: more.after ? 1 : NEWS
  }),
  merge: addNewer,
  // Only messages are compared by identity, and addNewer keeps them.
  share: (_, after) => after
}

/** A message, or the end of the conversation. */
export type Place = number | 'end'

/** `start`: where to load first, and the same at every render; null: nothing yet. */
export function useMessages(workspace: string, session: string, start: Place | null) {
  const { client, queries } = useDriftline()
  const params = useMemo(() => (start === null ? null : pageAt(workspace, session, start)), [workspace, session, start])
  const { data, loading, error, refetch } = useQuery('sessions.messages', params, { incremental: NEWER })
  const running = useRef<unknown>(null)
  /** Fetches one page at a time; a jump replaces a page that is being fetched. */
  const fetchPage = useCallback(
    async (page: Params<'sessions.messages'>, add: (now: MessagePage, page: MessagePage) => MessagePage) => {
      running.current = page
      try {
        const found = await client.call('sessions.messages', page)
        if (running.current === page)
          queries.cache.setQueryData<MessagePage>(['sessions.messages', params], (now) => now && add(now, found))
      } catch {
        // The next scroll or jump tries again; the connection's own notice says that it is lost.
      }
      if (running.current === page) running.current = null
    },
    [client, queries, params]
  )
  const loadMore = useCallback(
    (side: 'before' | 'after') => {
      const loaded = queries.cache.getQueryData<MessagePage>(['sessions.messages', params])
      const at = side === 'before' ? loaded?.messages[0]?.seq : loaded?.messages.at(-1)?.seq
      if (running.current || !loaded?.more[side] || at === undefined) return
      void fetchPage({ workspace, session, side, at, limit: PAGE }, side === 'before' ? addOlder : addNewer)
    },
    [queries, params, fetchPage, workspace, session]
  )
  const jump = useCallback(
    (place: Place) => void fetchPage(pageAt(workspace, session, place), (_, page) => page),
    [fetchPage, workspace, session]
  )
  return { page: data, loading, error, refetch, loadMore, jump }
}

function pageAt(workspace: string, session: string, place: Place): Params<'sessions.messages'> {
  return place === 'end'
    ? { workspace, session, side: 'before', limit: PAGE }
    : { workspace, session, side: 'around', at: place, limit: PAGE }
}
