/** Tabs for narrow windows and high zoom: one pane at a time. */
import type { Pane } from '../../commands/state.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { useActions, useWorkspaceState } from './state/context.tsx'
import { hasConversation, tabOf } from './state/derived.ts'

export function PaneTabs() {
  const actions = useActions()
  const conversation = useWorkspaceState(hasConversation)
  const tab = useWorkspaceState(tabOf)
  const files = useWorkspaceState(({ diff }) => diff?.files.length ?? null)
  return (
    <div className="bar pane-tabs">
      <Tabs<Pane>
        label="Panes"
        tabs={[
          { value: 'timeline', label: 'Timeline' },
          { value: 'files', label: 'Files', count: files },
          ...(conversation ? [{ value: 'conversation', label: 'Conversation' } as const] : []),
          { value: 'diff', label: 'Diff' }
        ]}
        value={tab}
        onChange={actions.setTab}
      />
    </div>
  )
}
