/** An open workspace: header, banner, timeline, files and diff, status bar. */
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import type { Workspace } from '../../../contract/workspace.ts'
import { useConnectionState } from '../../client/context.tsx'
import type { Pane } from '../../commands/state.ts'
import { isFiltered } from '../../model/entry-filter.ts'
import type { OpenReplay } from '../../model/replay.ts'
import { entryOf, positionTitle, rowTitle } from '../../model/row-targets.ts'
import { hasColumn, hasConversation, isDrawerOpen, isFollowing, listedFiles, tabOf } from '../../state/derived.ts'
import { useTimelineDefault } from '../../state/layout.ts'
import {
  useActions,
  useOpenWorkspace,
  useWorkspaceFields,
  useWorkspaceState,
  WorkspaceProvider
} from '../../state/open-workspace.tsx'
import { paneOf } from '../../state/panes.ts'
import { TextDialog } from '../../ui/confirm-dialog.tsx'
import { deferred } from '../../ui/deferred.tsx'
import { PaneBoundary } from '../../ui/pane-boundary.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useNow } from '../../ui/use-now.ts'
import { BannerBar } from '../banners/banner-bar.tsx'
import { ReviewBanner } from '../banners/review-banner.tsx'
import { BisectDialog } from '../bisect/bisect-dialog.tsx'
import { HistoryPane } from '../history/history-pane.tsx'
import { useFileHistory } from '../history/use-file-history.ts'
import { VersionList } from '../history/version-list.tsx'
import { ReplayPane } from '../replay/replay-pane.tsx'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { recordingIndicator } from '../status/recording-pill.tsx'
import { RestoreWaitDialog } from '../status/restore-wait-dialog.tsx'
import { ReviewStatusBar, StatusBar } from '../status/status-bar.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { ApplyBundle } from './apply-bundle.tsx'
import { DescribeDialog } from './describe-dialog.tsx'
import { EmptyWorkspace } from './empty-states.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { LocateDialog, StopRecordingDialog } from './folder-dialogs.tsx'
import { Header } from './header.tsx'
import { RestoreDialog } from './restore-dialog.ts'
import { RunView, SplitPanes } from './run-view.tsx'
import { useWorkspaceCommands } from './use-workspace-commands.ts'
import { WorkspaceData } from './workspace-data.tsx'

interface WorkspaceScreenProps {
  readonly workspace: Workspace
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

export function WorkspaceScreen({ workspace, onSwitch, onHome }: WorkspaceScreenProps) {
  /** The folder that the run of a bundle is applied to. */
  const [target, setTarget] = useState<Workspace | null>(null)
  return (
    <WorkspaceProvider workspace={workspace}>
      <WorkspaceData />
      <Frame>
        <Header onSwitch={onSwitch} onHome={onHome} />
        <PaneBoundary name="the notices">
          {workspace.bundle ? <ReviewBanner onApply={setTarget} onHome={onHome} /> : <BannerBar onSwitch={onSwitch} />}
        </PaneBoundary>
        <Work />
        <WorkspaceStatusBar />
        <PaneBoundary name="the preview">
          <RestorePreview />
          {target ? <ApplyBundle target={target} onClose={() => setTarget(null)} onSwitch={onSwitch} /> : null}
        </PaneBoundary>
        <PaneBoundary name="the review">
          <OpenReview />
        </PaneBoundary>
        <PaneBoundary name="this dialog">
          <WorkspaceDialogs onRemoved={onHome} />
        </PaneBoundary>
      </Frame>
    </WorkspaceProvider>
  )
}

function Frame({ children }: { readonly children: React.ReactNode }) {
  const { bundle } = useOpenWorkspace().workspace
  const layout = useWorkspaceState((state) => state.layout)
  useWorkspaceCommands()
  return (
    <div className="app" data-layout={layout} data-review={bundle ? '' : undefined}>
      {children}
    </div>
  )
}

/** The panes, in the layout for the width of the window. */
function Work() {
  const { store, actions } = useOpenWorkspace()
  const layout = useWorkspaceState((state) => state.layout)
  const column = useWorkspaceState(hasColumn)
  const drawer = useWorkspaceState(isDrawerOpen)
  const initial = useTimelineDefault()
  const width = useWorkspaceState(({ sizes }) => sizes.timeline) ?? initial

  /** Keeps the selection while a person reads. Input outside the entry bar also ends following a run. */
  const onUserInput = (event: SyntheticEvent) => {
    actions.holdSelection()
    if (isFollowing(store.getState()) && !(event.target as Element).closest('.entry')) actions.setFollow(false)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Keys in popovers arrive here, too, but these lie elsewhere in the page.
    const pane = event.currentTarget.contains(event.target as Element) ? paneOf(event.target as Element) : null
    if (pane && actions.goBack(pane)) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the panes inside take the keys; this handles what they leave.
    <div
      data-panes=""
      className={column ? 'work' : 'work no-timeline'}
      style={{ '--timeline': `${width}px` }}
      onPointerDownCapture={onUserInput}
      onKeyDownCapture={onUserInput}
      onKeyDown={onKeyDown}
    >
      {column ? <TimelinePane /> : null}
      {layout === 'tabs' ? <PaneTabs /> : null}
      <Content />
      {drawer ? (
        <div className="drawer">
          <TimelinePane />
        </div>
      ) : null}
    </div>
  )
}

/** The timeline, or the versions of the file whose history is open. */
function TimelinePane() {
  const history = useFileHistory()
  return history ? (
    <PaneBoundary name="the versions" resetOn={history.path}>
      <VersionList history={history} />
    </PaneBoundary>
  ) : (
    <PaneBoundary name="the timeline">
      <Timeline />
    </PaneBoundary>
  )
}

function Content() {
  const history = useFileHistory()
  const replay = useWorkspaceState((state) => state.replay)
  const onlyTimeline = useWorkspaceState(({ layout, tab }) => layout === 'tabs' && tab === 'timeline')
  // Without any entry, every pane explains how recording starts.
  const empty = useWorkspaceState(
    ({ timeline, filter, selected }) => timeline?.pages?.entries.length === 0 && !isFiltered(filter) && !selected
  )
  if (empty) return <EmptyWorkspace />
  if (onlyTimeline) return <TimelinePane />
  if (!history) return replay ? <OpenReplayView replay={replay} /> : <RunView />
  return (
    <PaneBoundary name="the history of this file" resetOn={history.path}>
      <HistoryPane history={history} />
    </PaneBoundary>
  )
}

/** Another range is another replay. */
function OpenReplayView({ replay }: { readonly replay: OpenReplay }) {
  const title = useWorkspaceState(({ selected, pair }) =>
    pair ? `Replay from ${positionTitle(pair[0])}` : selected ? rowTitle(selected.node) : 'Replay'
  )
  const key = `${replay.target} ${replay.to}`
  return (
    <PaneBoundary name="the replay" resetOn={key}>
      <ReplayPane
        key={key}
        replay={replay}
        title={title}
        renderPanes={(sidePane, diffPane) => <SplitPanes sidePane={sidePane} diffPane={diffPane} />}
      />
    </PaneBoundary>
  )
}

function WorkspaceStatusBar() {
  const { workspace, store, actions } = useOpenWorkspace()
  const connection = useConnectionState()
  const status = useWorkspaceState((state) => state.status)
  const now = useNow(connection.downSince !== null ? 'second' : 'minute')
  if (workspace.bundle) return <ReviewStatusBar />
  const recorded = recordingIndicator(status, connection, now).tone === 'live'
  return (
    <StatusBar
      status={status}
      // Cut off, nothing is known of a run's work.
      {...(connection.downSince === null || recorded
        ? { work: { recorded, onWhy: () => store.setState({ dialog: 'restore-wait' }) } }
        : {})}
      onCoverage={() => store.setState({ dialog: 'coverage' })}
      onCheck={actions.check}
    />
  )
}

/** Tabs for narrow windows and high zoom: one pane at a time. */
function PaneTabs() {
  const actions = useActions()
  const conversation = useWorkspaceState(hasConversation)
  const tab = useWorkspaceState(tabOf)
  const files = useWorkspaceState((state) => listedFiles(state)?.length ?? null)
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

export function RestorePreview() {
  const { workspace, actions } = useOpenWorkspace()
  const preview = useWorkspaceState((state) => state.preview)
  if (!preview) return null
  return (
    <RestoreDialog
      key={JSON.stringify(preview)}
      workspace={workspace.id}
      request={preview}
      firstPlan={() => actions.takePlan(preview)}
      onClose={actions.closePreview}
      onUndo={() => actions.undoOrRedo('undo')}
      onDone={actions.finishRestore}
      onQueued={actions.finishQueued}
    />
  )
}

/** Loaded when the first review opens. */
const ReviewDialog = deferred(async () => (await import('../review/review-dialog.tsx')).ReviewDialog)

function OpenReview() {
  const { store } = useOpenWorkspace()
  const review = useWorkspaceState((state) => state.review)
  if (review === null) return null
  return (
    <ReviewDialog
      key={review}
      session={review === 'newest' ? '' : review}
      onClose={() => store.setState({ review: null })}
    />
  )
}

function WorkspaceDialogs({ onRemoved }: { readonly onRemoved: () => void }) {
  const { workspace, store, actions } = useOpenWorkspace()
  const { dialog, status, selected } = useWorkspaceFields('dialog', 'status', 'selected')
  const entry = selected && entryOf(selected.node)
  const run = entry?.kind === 'run' ? entry : null
  const close = () => store.setState({ dialog: null })
  switch (dialog) {
    case null:
      return null
    case 'bisect':
      return <BisectDialog onClose={close} />
    case 'describe':
      return run ? <DescribeDialog run={run} onClose={close} /> : null
    case 'export':
      return run ? <ExportDialog run={run} onClose={close} /> : null
    case 'coverage':
      return <CoverageDialog workspace={workspace.id} onClose={close} />
    case 'restore-wait':
      return <RestoreWaitDialog status={status} onClose={close} />
    case 'pin':
      return (
        <TextDialog
          title="Pin a checkpoint"
          text="Saves the folder as it is now, and your place in open conversations."
          label="Checkpoint name"
          placeholder="Before the tax work"
          confirmLabel="Pin"
          invalidReason={() => null}
          onConfirm={(label) => {
            close()
            actions.pin(label)
          }}
          onClose={close}
        />
      )
    case 'locate':
      return <LocateDialog workspace={workspace} onDone={close} onClose={close} />
    case 'remove':
      return <StopRecordingDialog workspace={workspace} onDone={onRemoved} onClose={close} />
  }
}
