/** Asks for the conversation of what is selected and shows it. */
import { useMemo } from 'react'
import type { TimelineEntry, WorkspaceId } from '../../../contract/domain.ts'
import { useQuery } from '../../client/use-query.ts'
import { ConversationPane, type ConversationPaneProps } from '../conversation/conversation-pane.tsx'
import { conversationRestores } from '../conversation/talk-rows.ts'

interface ConversationSlotProps
  extends Omit<ConversationPaneProps, 'detail' | 'loading' | 'error' | 'onRetry' | 'restores'> {
  readonly workspace: WorkspaceId
  readonly session: string
  /** Entries that are loaded. */
  readonly entries: readonly TimelineEntry[]
}

export function ConversationSlot({ workspace, session, entries, ...rest }: ConversationSlotProps) {
  const { data, loading, error, refetch } = useQuery(
    'sessions.show',
    { workspace, session },
    { workspace, on: ['sessions', 'runs', 'restores'] }
  )
  const restores = useMemo(() => conversationRestores(entries, session), [entries, session])
  return (
    <ConversationPane {...rest} detail={data} loading={loading} error={error} onRetry={refetch} restores={restores} />
  )
}
