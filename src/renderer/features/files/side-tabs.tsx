/** The head of the side pane: its title, or tabs if the selection has a conversation. */
import type { ReactNode } from 'react'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { hasConversation, sideOf } from '../../state/derived.ts'
import type { Side } from '../../state/layout.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** The tab to focus: that of the other pane, which is drawn when this one is gone. */
const focusTarget: { current: Side | null } = { current: null }

interface SideTabsProps {
  /** Where there are no tabs. */
  readonly title: ReactNode
  /** Number of listed files; null while loading, and where no list is beside it. */
  readonly files: number | null
}

/** The same for a list of files: without tabs, the number follows the title. */
export function FilesTabs({ title, files }: SideTabsProps) {
  const count = files === null ? null : <span className="tabs-count num">{formatNumber(files)}</span>
  return (
    <SideTabs
      title={
        <>
          {title} {count}
        </>
      }
      files={files}
    />
  )
}

export function SideTabs({ title, files }: SideTabsProps) {
  const actions = useActions()
  const hasTabs = useWorkspaceState((state) => hasConversation(state) && state.layout !== 'tabs')
  const side = useWorkspaceState(sideOf)
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
