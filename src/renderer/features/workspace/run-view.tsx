/**
 * Right of the timeline: the entry bar above the side pane (files or conversation) and the diff, or a message if there
 * is nothing to show.
 */
import { type ReactNode, useEffect } from 'react'
import { diffWarningText } from '../../../contract/words/run-warnings.ts'
import { useDriftline } from '../../client/context.tsx'
import type { Selection } from '../../model/diff-selection.ts'
import { sessionOf, sideOf, tabOf } from '../../state/derived.ts'
import { CONVERSATION, FILES } from '../../state/layout.ts'
import { useActions, useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { Selected } from '../../state/selection.ts'
import { PaneBoundary } from '../../ui/pane-boundary.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ConversationPane } from '../conversation/conversation-pane.tsx'
import { DiffPane } from '../diff/diff-pane.tsx'
import { preloadMonaco } from '../diff/load-monaco.ts'
import { FilesPane } from '../files/files-pane.tsx'
import { ChangesError, NoChanges, PendingView } from './empty-states.tsx'
import { EntryBar } from './entry-bar.tsx'
import { RestoreDialog } from './restore-dialog.ts'

export function RunView() {
  const { selected, shown, selection } = useWorkspaceFields('selected', 'shown', 'selection')
  // What is undone first after a page was loaded is not kept waiting by its dialog.
  useEffect(() => preloadMonaco(RestoreDialog.preload), [])
  if (!shown || !selection) return <PendingView />
  return (
    <div className="stage" data-leaving={selected !== shown || undefined}>
      <EntryBar selected={shown} />
      <ComparisonPanes selected={shown} selection={selection} />
    </div>
  )
}

function ComparisonPanes({ selected, selection }: { readonly selected: Selected; readonly selection: Selection }) {
  const side = useWorkspaceState(sideOf)
  const session = useWorkspaceState(sessionOf)
  const file = useWorkspaceState((state) => state.file?.path ?? null)
  const emptyState = useEmptyState(selected)
  if (emptyState && side === 'files') return emptyState
  return (
    <SplitPanes
      sidePane={
        side === 'conversation' && session !== null ? (
          <PaneBoundary name="the conversation" resetOn={session}>
            <ConversationPane key={session} session={session} />
          </PaneBoundary>
        ) : (
          <PaneBoundary name="the changed files" resetOn={selection.query.target}>
            <FilesPane selection={selection} />
          </PaneBoundary>
        )
      }
      diffPane={
        emptyState ?? (
          <PaneBoundary name="this file" resetOn={file}>
            <DiffPane selection={selection} />
          </PaneBoundary>
        )
      }
    />
  )
}

/** The message in place of the panes; null if there are files to show, or they are loading. */
function useEmptyState(selected: Selected): ReactNode {
  const { queries } = useDriftline()
  const { workspace, store } = useOpenWorkspace()
  const error = useWorkspaceState(({ diff, diffError }) => (diff ? null : diffError))
  const warning = useWorkspaceState(({ diff }) => (diff?.files.length === 0 ? diffWarningText(diff.warnings) : null))
  if (error) {
    const retry = () =>
      queries.repeat(['diff.files', { workspace: workspace.id, ...store.getState().query, quick: true }])
    return <ChangesError error={error} onRetry={retry} />
  }
  return warning === null ? null : <NoChanges selected={selected} warning={warning} />
}

/** The side pane and the diff with a splitter between them; with tabs, CSS shows one of them. */
export function SplitPanes({ sidePane, diffPane }: { readonly sidePane: ReactNode; readonly diffPane: ReactNode }) {
  const actions = useActions()
  const layout = useWorkspaceState((state) => state.layout)
  const tab = useWorkspaceState(tabOf)
  const side = useWorkspaceState(sideOf)
  const stored = useWorkspaceState(({ sizes }) => (side === 'files' ? sizes.files : sizes.conversation))
  const { min, max, initial, initialNarrow } = side === 'files' ? FILES : CONVERSATION
  const defaultWidth = layout === 'wide' ? initial : initialNarrow
  const width = stored ?? defaultWidth
  return (
    <div className="split" data-tab={tab} style={{ '--files': `${width}px` }}>
      <div className="pane-slot" data-pane={side} id="side-pane">
        {sidePane}
      </div>
      {layout === 'tabs' ? null : (
        <Splitter
          label={side === 'files' ? 'Files width' : 'Conversation width'}
          controls="side-pane"
          value={width}
          min={min}
          max={max}
          initial={defaultWidth}
          onChange={(next) => actions.resize(side === 'files' ? { files: next } : { conversation: next })}
        />
      )}
      <div className="pane-slot" data-pane="diff" id="diff-pane">
        {diffPane}
      </div>
    </div>
  )
}
