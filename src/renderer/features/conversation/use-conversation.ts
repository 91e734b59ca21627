/**
 * A conversation as rows. Owns what is loaded of it: its session, which later requests only add to, and a window of its
 * messages, which starts at one place and grows in both directions.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { applySessionUpdate, type SessionDetail } from '../../../contract/conversation.ts'
import { type IncrementalFetch, useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { useThreadsByRow } from '../review/message-comments.tsx'
import { conversationRestores, messageRows } from './message-rows.ts'
import { type Place, useMessages } from './use-messages.ts'

/** A conversation is loaded once; later requests load only new messages. */
const SINCE: IncrementalFetch<'sessions.show'> = {
  params: ({ mark }, params) => ({ ...params, since: mark }),
  merge: applySessionUpdate
}

const NONE: ReadonlySet<string> = new Set()

/** `startOf`: where the first messages are loaded; asked once, when the session is there. */
export function useConversation(session: string, startOf: (detail: SessionDetail) => Place) {
  const { workspace } = useOpenWorkspace()
  const shown = useQuery('sessions.show', { workspace: workspace.id, session }, { incremental: SINCE })
  const { data: detail, refetch } = shown
  // The line counts of a long conversation arrive in several answers.
  const uncounted = detail?.calls.some(({ counted, endedAt }) => !counted && endedAt !== null) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer requests the next one until all lines are counted.
  useEffect(() => {
    if (uncounted) refetch()
  }, [detail, uncounted, refetch])
  const entries = useWorkspaceState(({ timeline }) => timeline?.pages?.entries)
  const restores = useMemo(() => conversationRestores(entries ?? [], session), [entries, session])
  const [expanded, setExpanded] = useState(NONE)
  const threads = useThreadsByRow(session)
  // A comment is shown below the call that it is on.
  const apart = useMemo(() => new Set([...expanded, ...threads.keys()]), [expanded, threads])
  const start = useFirst(detail && startOf(detail))
  const { page, loadMore, jump, ...messages } = useMessages(workspace.id, session, start)
  const rows = useMemo(
    () => (detail && page ? messageRows({ ...detail, ...page }, restores, apart) : []),
    [detail, page, restores, apart]
  )
  return {
    detail,
    page,
    rows,
    threads,
    loading: shown.loading || messages.loading,
    error: shown.error ?? messages.error,
    loadMore,
    jump,
    retry: () => {
      refetch()
      messages.refetch()
    },
    /** Shows grouped calls one by one; `call`: the key of the group. */
    expandGroup: (call: string) => setExpanded((before) => new Set(before).add(call))
  }
}

/** The first value that is not null. */
function useFirst<T>(value: T | null): T | null {
  const first = useRef<T | null>(null)
  first.current ??= value
  return first.current
}
