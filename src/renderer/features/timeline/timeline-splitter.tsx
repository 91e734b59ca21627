/** The border between the first column and the next pane. */

import { TIMELINE, useTimelineDefault } from '../../state/layout.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Splitter } from '../../ui/splitter.tsx'

export function TimelineSplitter() {
  const actions = useActions()
  const wide = useWorkspaceState(({ layout }) => layout === 'wide')
  const initial = useTimelineDefault()
  const width = useWorkspaceState(({ sizes }) => sizes.timeline) ?? initial
  if (!wide) return null
  return (
    <Splitter
      label="Timeline width"
      controls="timeline-pane"
      value={width}
      min={TIMELINE.min}
      max={TIMELINE.max}
      initial={initial}
      onChange={(timeline) => actions.resize({ timeline })}
    />
  )
}
