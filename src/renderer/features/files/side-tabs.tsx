/** The head of the side pane: its title, or tabs if the selection has a conversation. */
import { type ReactNode, useRef } from 'react'
import { hasConversation, sideOf } from '../../state/derived.ts'
import type { Side } from '../../state/layout.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export function SideTabs({ title }: { readonly title: ReactNode }) {
  const actions = useActions()
  const focusTarget = useRef<Side | null>(null)
  const hasTabs = useWorkspaceState((state) => hasConversation(state) && state.layout !== 'tabs')
  const side = useWorkspaceState(sideOf)
  const files = useWorkspaceState(({ diff }) => diff?.files.length ?? null)
  if (!hasTabs) return <h2 className="files-title">{title}</h2>
  return (
    <Tabs
      label="Files or conversation"
      tabs={[
        { value: 'files', label: 'Files', count: files },
        { value: 'conversation', label: 'Conversation' }
      ]}
      value={side}
      onChange={actions.setSide}
      focusTarget={focusTarget}
    />
  )
}
