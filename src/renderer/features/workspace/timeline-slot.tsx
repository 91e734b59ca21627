/** The timeline of the open folder, wherever the layout puts it: a column, a drawer or a tab. */
import type { Ref } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { useCommandHub } from '../../commands/hub.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import type { NodeRow } from '../timeline/rows.ts'
import { Timeline, type TimelineHandle } from '../timeline/timeline.tsx'
import { TIMELINE } from './layout.ts'
import type { Going } from './use-going.ts'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'

interface TimelineSlotProps {
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly going: Going
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onEnter: () => void
  readonly onRestore: (row: NodeRow) => void
  readonly onUndo: (row: NodeRow) => void
  readonly onPin: () => void
  readonly ref: Ref<TimelineHandle>
}

export function TimelineSlot(props: TimelineSlotProps) {
  const { model, panes, going, offline, onEnter, onRestore, onUndo, onPin, ref } = props
  const hub = useCommandHub()
  const { letterKeys } = usePreferences()
  const { selected } = model
  return (
    <Timeline
      ref={ref}
      data={model.timeline}
      rows={model.rows}
      rails={model.rails}
      beside={model.beside}
      status={model.status}
      selected={selected?.node.key ?? null}
      compared={selected?.other?.key ?? null}
      now={model.now}
      filter={model.filter}
      letterKeys={letterKeys}
      offline={offline}
      onFilter={model.setFilter}
      onSelect={going.selectRow}
      onFold={model.fold}
      enterOnPress={panes.layout === 'tabs'}
      onEnter={onEnter}
      onRestore={onRestore}
      onUndo={onUndo}
      onPin={onPin}
      onSearch={(text) => hub.state().openPalette(text)}
    >
      <TimelineEdge panes={panes} />
    </Timeline>
  )
}

/** The border between the first column and the next pane. */
export function TimelineEdge({ panes }: { readonly panes: Panes }) {
  if (panes.layout !== 'wide') return null
  return (
    <Splitter
      label="Width of the timeline"
      controls="timeline-pane"
      value={panes.sizes.timeline}
      min={TIMELINE.min}
      max={TIMELINE.max}
      initial={TIMELINE.initial}
      onChange={(width) => panes.resize({ timeline: width })}
    />
  )
}
