/** Loads the conversation of the selected session. */
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
  /** Loaded timeline entries. */
  readonly entries: readonly TimelineEntry[]
}

/** A conversation is loaded once; later requests load only new messages. */
const SINCE: IncrementalFetch<'sessions.show'> = {
  params: ({ mark }, params) => ({ ...params, since: mark }),
  merge: applySessionUpdate
}

export function SessionConversation({ workspace, session, entries, ...rest }: ConversationSlotProps) {
  const { data, loading, error, refetch } = useQuery('sessions.show', { workspace, session }, { incremental: SINCE })
  // The line counts of a long conversation arrive in several answers.
  const uncounted = data?.calls.some(({ counted, endedAt }) => !counted && endedAt !== null) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer requests the next one until all lines are counted.
  useEffect(() => {
    if (uncounted) refetch()
  }, [data, uncounted, refetch])
  const restores = useMemo(() => conversationRestores(entries, session), [entries, session])
  return (
    <ConversationPane {...rest} detail={data} loading={loading} error={error} onRetry={refetch} restores={restores} />
  )
}
