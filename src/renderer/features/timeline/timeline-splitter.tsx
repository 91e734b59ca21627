/** The border between the first column and the next pane. */
import { Splitter } from '../../ui/splitter.tsx'
import { TIMELINE } from '../workspace/layout.ts'
import { useActions, useWorkspaceState } from '../workspace/state/open-workspace.tsx'

export function TimelineSplitter() {
  const actions = useActions()
  const wide = useWorkspaceState(({ layout }) => layout === 'wide')
  const width = useWorkspaceState(({ sizes }) => sizes.timeline)
  if (!wide) return null
  return (
    <Splitter
      label="Timeline width"
      controls="timeline-pane"
      value={width}
      min={TIMELINE.min}
      max={TIMELINE.max}
      initial={TIMELINE.initial}
      onChange={(timeline) => actions.resize({ timeline })}
    />
  )
}
