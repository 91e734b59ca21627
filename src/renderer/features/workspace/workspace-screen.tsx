/** An open workspace: header, banner, timeline, files and diff, status bar. */

import { lazy, Suspense, type SyntheticEvent, useRef, useState } from 'react'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import type { ReviewCommands } from '../../commands/state.ts'
import { BannerBar } from '../banners/banner-bar.tsx'
import { bannersOf } from '../banners/banners.ts'
import { RecordingPill, recordingIndicator } from '../status/recording-pill.tsx'
import { StatusBar } from '../status/status-bar.tsx'
import { restoreAction, undoAction } from '../timeline/row-actions.ts'
import { sessionIdOf } from '../timeline/row-targets.ts'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import type { SelectableRow } from '../timeline/timeline-rows.ts'
import { EmptyWorkspace } from './empty-states.tsx'
import { Header } from './header.tsx'
import { FileHistoryView, VersionsColumn } from './history-views.tsx'
import { PaneTabs } from './pane-tabs.tsx'
import type { PickedFile } from './picked-file.ts'
import { RunView } from './run-view.tsx'
import { TimelineColumn } from './timeline-column.tsx'
import { useBannerActions } from './use-banner-actions.ts'
import { useFollow } from './use-follow.ts'
import { useHistory } from './use-history.ts'
import { useNavigation } from './use-navigation.ts'
import { usePanes } from './use-panes.ts'
import { useRestoreActions } from './use-restore-actions.ts'
import { useWorkspace } from './use-workspace.ts'
import { useWorkspaceCommands } from './use-workspace-commands.ts'
import { type WorkspaceDialog, WorkspaceDialogs } from './workspace-dialogs.tsx'

interface WorkspaceScreenProps {
  readonly workspace: Workspace
  readonly home: string
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

/** Loaded when the first preview opens. */
const RestoreDialog = lazy(async () => ({ default: (await import('../restore/restore-dialog.tsx')).RestoreDialog }))

export function WorkspaceScreen({ workspace, home, onSwitch, onHome }: WorkspaceScreenProps) {
  const { client, platform } = useDriftline()
  const connection = useConnectionState()
  const hub = useCommandHub()
  const timeline = useRef<TimelineHandle>(null)
  const review = useRef<ReviewCommands>(null)
  const model = useWorkspace(workspace.id)
  const { status, selected } = model
  const restoreActions = useRestoreActions(workspace.id, status, model.refreshStatus)
  const panes = usePanes(workspace.id, timeline)
  const { layout, sizes } = panes
  const [dialog, setDialog] = useState<WorkspaceDialog | null>(null)
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const history = useHistory(workspace.id, panes)
  const navigation = useNavigation({ model, panes, onPick: setPicked, onLeave: history.close })
  const follow = useFollow({
    workspace: workspace.id,
    live: model.live,
    of: selected?.node.key ?? '',
    diff: model.diff.diff,
    pick: navigation.pickFile
  })
  const list = useQuery('workspaces.list', {})

  const offline = connection.phase === 'open' ? null : 'no connection to the recorder'
  const openPreview = (request: RestoreRequest | null) => {
    if (request && !offline) restoreActions.open(request)
  }
  const restore = (row: SelectableRow) => openPreview(restoreAction(row).request)
  const undo = (row: SelectableRow) => openPreview(undoAction(row, status).request)
  const openPin = () => setDialog('pin')
  const openCoverage = () => setDialog('coverage')
  const pair = model.pair && {
    rows: model.pair,
    swap: model.swap,
    clear: () => selected && model.select(selected.node, false)
  }
  const session = selected && !selected.against ? sessionIdOf(selected.node) : null
  const side = session === null ? 'files' : panes.side
  const tab = panes.tab === 'conversation' && session === null ? 'files' : panes.tab

  useWorkspaceCommands({
    workspace: workspace.id,
    model,
    panes,
    restoreActions,
    navigation,
    pair,
    session,
    offline,
    timeline,
    review,
    restore,
    undo,
    openDialog: setDialog
  })

  const banners = bannersOf({
    status,
    folder: shortPath(workspace.root, home),
    downSince: connection.downSince,
    lastContact: connection.lastContact,
    now: model.now,
    inBrowser: platform.kind === 'browser'
  })
  const recording = recordingIndicator(status, connection, model.now)
  const onBannerAction = useBannerActions({ workspace, model, restoreActions, panes, open: setDialog })

  // Without any entry, every pane explains how recording starts.
  const unfiltered = model.filter.text === '' && model.filter.kinds === 'all'
  const empty = model.timeline.pages?.entries.length === 0 && unfiltered && !selected

  const fileHistory = history.file && { file: history.file, history, panes, now: model.now, onPreview: openPreview }
  const timelinePane = fileHistory ? (
    <VersionsColumn {...fileHistory} ref={timeline} />
  ) : (
    <TimelineColumn
      ref={timeline}
      model={model}
      panes={panes}
      navigation={navigation}
      offline={offline}
      onEnter={() => {
        panes.closeDrawer()
        panes.goTo(selected?.node.kind === 'plan' ? 'conversation' : side)
      }}
      onRestore={restore}
      onUndo={undo}
      onPin={openPin}
    />
  )

  /** Keeps the selection while a person reads. Input outside the entry bar also ends following a run. */
  const onUserInput = (event: SyntheticEvent) => {
    model.holdSelection()
    if (follow.on && !(event.target as Element).closest('.entry')) follow.set(false)
  }

  const content = empty ? (
    <EmptyWorkspace status={status} />
  ) : layout === 'tabs' && panes.tab === 'timeline' ? (
    timelinePane
  ) : fileHistory ? (
    <FileHistoryView {...fileHistory} workspace={workspace} offline={offline} onShowEntry={navigation.showEntry} />
  ) : (
    <RunView
      workspace={workspace}
      model={model}
      panes={panes}
      restoreActions={restoreActions}
      navigation={navigation}
      history={history}
      follow={follow}
      session={session}
      tab={tab}
      side={side}
      pair={pair}
      picked={picked}
      onPick={setPicked}
      offline={offline}
      onPreview={openPreview}
      onRestore={restore}
      onUndo={undo}
      onPin={openPin}
      reviewRef={review}
    />
  )

  return (
    <div className={`app layout-${layout}`}>
      <Header
        workspace={workspace}
        workspaces={list.data?.workspaces ?? []}
        home={home}
        branch={status?.branch ?? ''}
        undo={status?.undo ?? null}
        undoUnavailable={offline ?? restoreActions.undoUnavailable}
        pill={
          <RecordingPill
            indicator={recording}
            offline={offline}
            watching={
              status && status.host.watching !== 'off'
                ? { on: status.host.watching === 'on', set: restoreActions.setWatching }
                : null
            }
            onCheck={restoreActions.check}
            onCoverage={openCoverage}
          />
        }
        drawer={layout === 'medium' ? { open: panes.drawer, toggle: panes.toggleTimeline } : null}
        onSwitch={onSwitch}
        onHome={onHome}
        onUndo={() => restoreActions.undoOrRedo('undo')}
        onPalette={() => hub.state().openPalette()}
        onHelp={() => hub.state().openHelp()}
      />
      <BannerBar scope={workspace.id} banners={banners} offline={offline} onAction={onBannerAction} />
      <div
        className={panes.column ? 'work' : 'work no-timeline'}
        style={{ '--timeline': `${sizes.timeline}px` }}
        onPointerDownCapture={onUserInput}
        onKeyDownCapture={onUserInput}
      >
        {panes.column ? timelinePane : null}
        {layout === 'tabs' ? (
          <PaneTabs
            conversation={session !== null}
            tab={tab}
            files={model.diff.diff?.files.length ?? null}
            onTab={(to) => {
              if (to === 'files' || to === 'conversation') history.close()
              panes.setTab(to)
            }}
          />
        ) : null}
        {content}
        {panes.drawer ? <div className="drawer">{timelinePane}</div> : null}
      </div>
      <StatusBar
        status={status}
        copy={status?.copy ?? null}
        work={{ recorded: recording.tone === 'live', now: model.now, onWhy: () => setDialog('restore-wait') }}
        onCoverage={openCoverage}
        onCheck={restoreActions.check}
      />
      {restoreActions.preview ? (
        <Suspense fallback={null}>
          <RestoreDialog
            key={JSON.stringify(restoreActions.preview)}
            client={client}
            workspace={workspace.id}
            request={restoreActions.preview}
            onClose={restoreActions.close}
            onDone={restoreActions.done}
          />
        </Suspense>
      ) : null}
      <WorkspaceDialogs
        open={dialog}
        workspace={workspace}
        status={status}
        onPin={restoreActions.pin}
        onRemoved={onHome}
        onClose={() => setDialog(null)}
      />
    </div>
  )
}
