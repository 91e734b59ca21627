/** An open workspace: header, banner, timeline, files and diff, status bar. */
import type { SyntheticEvent } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { PaneBoundary } from '../../ui/pane-boundary.tsx'
import { useNow } from '../../ui/use-now.ts'
import { BannerBar } from '../banners/banner-bar.tsx'
import { bannersOf } from '../banners/banners.ts'
import { HistoryPane } from '../history/history-pane.tsx'
import { useFileHistory } from '../history/use-file-history.ts'
import { VersionList } from '../history/version-list.tsx'
import { recordingIndicator } from '../status/recording-pill.tsx'
import { StatusBar } from '../status/status-bar.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { EmptyWorkspace } from './empty-states.tsx'
import { Header } from './header.tsx'
import { PaneTabs } from './pane-tabs.tsx'
import { RunView } from './run-view.tsx'
import { useOpenWorkspace, useWorkspaceState, WorkspaceProvider } from './state/context.tsx'
import { hasColumn, isDrawerOpen, isFollowing } from './state/derived.ts'
import { useBannerActions } from './use-banner-actions.ts'
import { useWorkspaceCommands } from './use-workspace-commands.ts'
import { WorkspaceData } from './workspace-data.tsx'
import { RestorePreview, WorkspaceDialogs } from './workspace-dialogs.tsx'

interface WorkspaceScreenProps {
  readonly workspace: Workspace
  readonly home: string
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

export function WorkspaceScreen({ workspace, home, onSwitch, onHome }: WorkspaceScreenProps) {
  return (
    <WorkspaceProvider workspace={workspace}>
      <WorkspaceData />
      <Frame>
        <Header home={home} onSwitch={onSwitch} onHome={onHome} />
        <PaneBoundary name="the notices">
          <WorkspaceBanners home={home} />
        </PaneBoundary>
        <Work />
        <WorkspaceStatusBar />
        <PaneBoundary name="the preview">
          <RestorePreview />
        </PaneBoundary>
        <PaneBoundary name="this dialog">
          <WorkspaceDialogs onRemoved={onHome} />
        </PaneBoundary>
      </Frame>
    </WorkspaceProvider>
  )
}

function Frame({ children }: { readonly children: React.ReactNode }) {
  const layout = useWorkspaceState((state) => state.layout)
  useWorkspaceCommands()
  return <div className={`app layout-${layout}`}>{children}</div>
}

function WorkspaceBanners({ home }: { readonly home: string }) {
  const { workspace } = useOpenWorkspace()
  const { platform } = useDriftline()
  const { downSince, lastContact } = useConnectionState()
  const status = useWorkspaceState((state) => state.status)
  const offline = useWorkspaceState((state) => state.offline)
  const now = useNow(downSince !== null)
  const onAction = useBannerActions()
  const banners = bannersOf({
    status,
    folder: shortPath(workspace.root, home),
    downSince,
    lastContact,
    now,
    inBrowser: platform.kind === 'browser'
  })
  return <BannerBar scope={workspace.id} banners={banners} offline={offline} onAction={onAction} />
}

/** The panes, in the layout for the width of the window. */
function Work() {
  const { store, actions } = useOpenWorkspace()
  const layout = useWorkspaceState((state) => state.layout)
  const column = useWorkspaceState(hasColumn)
  const drawer = useWorkspaceState(isDrawerOpen)
  const width = useWorkspaceState(({ sizes }) => sizes.timeline)

  /** Keeps the selection while a person reads. Input outside the entry bar also ends following a run. */
  const onUserInput = (event: SyntheticEvent) => {
    actions.holdSelection()
    if (isFollowing(store.getState()) && !(event.target as Element).closest('.entry')) actions.setFollow(false)
  }
  return (
    <div
      className={column ? 'work' : 'work no-timeline'}
      style={{ '--timeline': `${width}px` }}
      onPointerDownCapture={onUserInput}
      onKeyDownCapture={onUserInput}
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
  const onlyTimeline = useWorkspaceState(({ layout, tab }) => layout === 'tabs' && tab === 'timeline')
  // Without any entry, every pane explains how recording starts.
  const empty = useWorkspaceState(
    ({ timeline, filter, selected }) =>
      timeline?.pages?.entries.length === 0 && filter.text === '' && filter.kinds === 'all' && !selected
  )
  if (empty) return <EmptyWorkspace />
  if (onlyTimeline) return <TimelinePane />
  if (!history) return <RunView />
  return (
    <PaneBoundary name="the history of this file" resetOn={history.path}>
      <HistoryPane history={history} />
    </PaneBoundary>
  )
}

function WorkspaceStatusBar() {
  const { store, actions } = useOpenWorkspace()
  const connection = useConnectionState()
  const status = useWorkspaceState((state) => state.status)
  const now = useNow(connection.downSince !== null)
  const recorded = recordingIndicator(status, connection, now).tone === 'live'
  return (
    <StatusBar
      status={status}
      copy={status?.copy ?? null}
      work={{ recorded, onWhy: () => store.setState({ dialog: 'restore-wait' }) }}
      onCoverage={() => store.setState({ dialog: 'coverage' })}
      onCheck={actions.check}
    />
  )
}
