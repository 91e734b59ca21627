/** Tabs for narrow windows and high zoom: one pane at a time. */
import type { Pane } from '../../commands/state.ts'
import { Tabs } from '../../ui/tabs.tsx'

interface PaneTabsProps {
  /** Whether the selection has a conversation. */
  readonly conversation: boolean
  readonly tab: Pane
  readonly files: number | null
  readonly onTab: (tab: Pane) => void
}

export function PaneTabs({ conversation, tab, files, onTab }: PaneTabsProps) {
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
        onChange={onTab}
      />
    </div>
  )
}
