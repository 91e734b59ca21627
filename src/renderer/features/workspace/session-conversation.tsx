/** Asks for the conversation of what is selected and shows it. */
import { useEffect, useMemo } from 'react'
import { applySessionUpdate } from '../../../contract/conversation.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { type IncrementalFetch, useQuery } from '../../client/use-query.ts'
import { ConversationPane, type ConversationPaneProps } from '../conversation/conversation-pane.tsx'
import { conversationRestores } from '../conversation/message-rows.ts'

interface ConversationSlotProps
  extends Omit<ConversationPaneProps, 'detail' | 'loading' | 'error' | 'onRetry' | 'restores'> {
  readonly workspace: WorkspaceId
  readonly session: string
  /** Entries that are loaded. */
  readonly entries: readonly TimelineEntry[]
}

/** A long conversation is told once; after that only what is new in it. */
const SINCE: IncrementalFetch<'sessions.show'> = {
  params: ({ mark }, params) => ({ ...params, since: mark }),
  merge: applySessionUpdate
}

export function SessionConversation({ workspace, session, entries, ...rest }: ConversationSlotProps) {
  const { data, loading, error, refetch } = useQuery(
    'sessions.show',
    { workspace, session },
    { workspace, on: ['sessions', 'runs', 'restores', 'checkpoints'] },
    SINCE
  )
  // Of a long conversation the lines are counted in several answers.
  const uncounted = data?.calls.some(({ counted, endedAt }) => !counted && endedAt !== null) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer that is not the last one asks for the next.
  useEffect(() => {
    if (uncounted) refetch()
  }, [data, uncounted, refetch])
  const restores = useMemo(() => conversationRestores(entries, session), [entries, session])
  return (
    <ConversationPane {...rest} detail={data} loading={loading} error={error} onRetry={refetch} restores={restores} />
  )
}
