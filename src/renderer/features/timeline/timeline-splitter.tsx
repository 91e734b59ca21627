/** The border between the first column and the next pane. */

import { TIMELINE, timelineDefault } from '../../state/layout.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Splitter } from '../../ui/splitter.tsx'

export function TimelineSplitter() {
  const actions = useActions()
  const wide = useWorkspaceState(({ layout }) => layout === 'wide')
  const width = useWorkspaceState(({ sizes }) => sizes.timeline) ?? timelineDefault()
  if (!wide) return null
  return (
    <Splitter
      label="Timeline width"
      controls="timeline-pane"
      value={width}
      min={TIMELINE.min}
      max={TIMELINE.max}
      initial={timelineDefault()}
      onChange={(timeline) => actions.resize({ timeline })}
    />
  )
}
