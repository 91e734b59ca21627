/** The timeline of the open workspace. The layout shows it as a column, a drawer or a tab. */
import type { Ref } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { useCommandHub } from '../../commands/hub.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { Timeline, type TimelineHandle } from '../timeline/timeline.tsx'
import type { SelectableRow } from '../timeline/timeline-rows.ts'
import { TIMELINE } from './layout.ts'
import type { Navigation } from './use-navigation.ts'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'

interface TimelineSlotProps {
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly navigation: Navigation
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onEnter: () => void
  readonly onRestore: (row: SelectableRow) => void
  readonly onUndo: (row: SelectableRow) => void
  readonly onPin: () => void
  readonly ref: Ref<TimelineHandle>
}

export function TimelineColumn(props: TimelineSlotProps) {
  const { model, panes, navigation, offline, onEnter, onRestore, onUndo, onPin, ref } = props
  const hub = useCommandHub()
  const { letterKeys } = usePreferences()
  const { selected } = model
  return (
    <Timeline
      ref={ref}
      data={model.timeline}
      rows={model.rows}
      rails={model.rails}
      status={model.status}
      selected={selected?.node.key ?? null}
      compared={selected?.against?.key ?? null}
      now={model.now}
      filter={model.filter}
      letterKeys={letterKeys}
      offline={offline}
      onFilter={model.setFilter}
      onSelect={navigation.selectRow}
      onCollapse={model.fold}
      enterOnClick={panes.layout === 'tabs'}
      onEnter={onEnter}
      onRestore={onRestore}
      onUndo={onUndo}
      onPin={onPin}
      onSearch={(text) => hub.state().openPalette(text)}
    >
      <TimelineSplitter panes={panes} />
    </Timeline>
  )
}

/** The border between the first column and the next pane. */
export function TimelineSplitter({ panes }: { readonly panes: Panes }) {
  if (panes.layout !== 'wide') return null
  return (
    <Splitter
      label="Timeline width"
      controls="timeline-pane"
      value={panes.sizes.timeline}
      min={TIMELINE.min}
      max={TIMELINE.max}
      initial={TIMELINE.initial}
      onChange={(width) => panes.resize({ timeline: width })}
    />
  )
}
