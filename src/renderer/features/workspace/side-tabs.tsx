/** Files or conversation: the two things the pane between timeline and diff can show of a run. */
import { Tabs } from '../../ui/tabs.tsx'
import type { Side } from './layout.ts'

interface SideTabsProps {
  readonly side: Side
  readonly files: number | null
  readonly onSide: (side: Side) => void
}

export function SideTabs({ side, files, onSide }: SideTabsProps) {
  return (
    <Tabs
      label="Files or conversation"
      tabs={[
        { value: 'files', label: 'Files', count: files },
        { value: 'conversation', label: 'Conversation' }
      ]}
      value={side}
      onChange={onSide}
    />
  )
}
