/** An open folder: header, banner, timeline, files and diff, status bar. */
import { type SyntheticEvent, useRef, useState } from 'react'
import type { Act } from '../../../contract/restore.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import type { ReviewCommands } from '../../commands/state.ts'
import { shortPath } from '../../ui/format.ts'
import { BannerBar } from '../banners/banner-bar.tsx'
import { bannersOf } from '../banners/banners.ts'
import { RecordingPill, recordingLook } from '../status/recording-pill.tsx'
import { StatusBar } from '../status/status-bar.tsx'
import { actOf, restoreOffer, sessionOf, undoOffer, whyNot } from '../timeline/node.ts'
import type { NodeRow } from '../timeline/rows.ts'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import { Header } from './header.tsx'
import { HistorySlot, VersionsSlot } from './history-slot.tsx'
import { PaneTabs } from './pane-tabs.tsx'
import { nextPane } from './panes.ts'
import { RestoreSlot } from './restore-slot.tsx'
import type { Picked } from './stage.tsx'
import { StageSlot } from './stage-slot.tsx'
import { EmptyWorkspace } from './stage-states.tsx'
import { TimelineSlot } from './timeline-slot.tsx'
import { useBannerActs } from './use-banner-acts.ts'
import { useFollow } from './use-follow.ts'
import { useGoing } from './use-going.ts'
import { useHistory } from './use-history.ts'
import { usePanes } from './use-panes.ts'
import { useWorkspace } from './use-workspace.ts'
import { useWorkspaceCommands } from './use-workspace-commands.ts'
import { useWrites } from './use-writes.ts'
import { type SmallDialog, WorkspaceDialogs } from './workspace-dialogs.tsx'

interface WorkspaceScreenProps {
  readonly workspace: Workspace
  readonly home: string
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

export function WorkspaceScreen({ workspace, home, onSwitch, onHome }: WorkspaceScreenProps) {
  const { client, platform } = useDriftline()
  const link = useConnectionState()
  const hub = useCommandHub()
  const timeline = useRef<TimelineHandle>(null)
  const review = useRef<ReviewCommands>(null)
  const model = useWorkspace(workspace.id)
  const { status, selected } = model
  const writes = useWrites(workspace.id, status, model.refreshStatus)
  const panes = usePanes(workspace.id, timeline)
  const { layout, sizes } = panes
  const [small, setSmall] = useState<SmallDialog | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const history = useHistory(workspace.id, panes)
  const going = useGoing({ model, panes, onPick: setPicked, onLeave: history.close })
  const follow = useFollow({
    workspace: workspace.id,
    live: model.live,
    of: selected?.node.key ?? '',
    diff: model.diff.diff,
    pick: going.pickFile
  })
  const list = useQuery('workspaces.list', {}, { workspace: null, on: ['status'] })

  const offline = link.phase === 'open' ? null : 'waits for the connection to the recorder'
  const undoUnavailable = offline ?? writes.undoUnavailable
  const openAct = (act: Act | null) => {
    if (act && !offline) writes.open(act)
  }
  const restore = (node: NodeRow) => openAct(actOf(restoreOffer(node)))
  const undo = (node: NodeRow) => openAct(actOf(undoOffer(node, status)))
  const pair = model.pair && {
    rows: model.pair,
    swap: model.swap,
    clear: () => selected && model.select(selected.node, false)
  }
  const node = selected && !selected.other ? selected.node : null
  const session = sessionOf(node)
  const side = session === null ? 'files' : panes.side
  const tab = panes.tab === 'conversation' && session === null ? 'files' : panes.tab

  useWorkspaceCommands({
    id: workspace.id,
    entries: model.timeline.pages?.entries ?? [],
    files: model.diff.diff?.files ?? [],
    node: node && {
      restoreTitle: restoreOffer(node).title,
      restoreUnavailable: whyNot(restoreOffer(node)),
      undoTitle: undoOffer(node, status).title,
      undoUnavailable: whyNot(undoOffer(node, status))
    },
    undoUnavailable,
    redoUnavailable: offline ?? writes.redoUnavailable,
    review: () => review.current,
    pair,
    restoreHere: () => node && restore(node),
    undoThis: () => node && undo(node),
    undoRestore: () => writes.step('undo'),
    redoRestore: () => writes.step('redo'),
    pin: () => setSmall('pin'),
    check: writes.check,
    showCoverage: () => setSmall('coverage'),
    focusPane: panes.goTo,
    stepPane: (by) => panes.goTo(nextPane(document.activeElement, by)),
    toggleTimeline: panes.toggleTimeline,
    filterTimeline: () => {
      panes.goTo('timeline')
      // At once where it is shown, or the next letters would be keys of the timeline.
      timeline.current?.focusFilter()
      requestAnimationFrame(() => timeline.current?.focusFilter())
    },
    conversationUnavailable: session === null ? 'what is selected has no conversation' : null,
    selectEntry: going.selectEntry,
    selectFile: going.showFile,
    openHit: going.openHit
  })

  const banners = bannersOf({
    status,
    folder: shortPath(workspace.root, home),
    downSince: link.downSince,
    lastContact: link.lastContact,
    now: model.now,
    inBrowser: platform.kind === 'browser'
  })
  const look = recordingLook(status, link, model.now)
  const actOnBanner = useBannerActs({ workspace, model, writes, panes, open: setSmall })

  // Nothing was ever recorded: whichever pane is looked at says how that begins.
  const unfiltered = model.filter.text === '' && model.filter.kinds === 'all'
  const empty = model.timeline.pages?.entries.length === 0 && unfiltered && !selected

  const past = history.file && { file: history.file, history, panes, now: model.now, onAct: openAct }
  const timelinePane = past ? (
    <VersionsSlot {...past} ref={timeline} />
  ) : (
    <TimelineSlot
      ref={timeline}
      model={model}
      panes={panes}
      going={going}
      offline={offline}
      onEnter={() => {
        panes.closeDrawer()
        panes.goTo(selected?.node.kind === 'plan' ? 'conversation' : side)
      }}
      onRestore={restore}
      onUndo={undo}
      onPin={() => setSmall('pin')}
    />
  )

  return (
    <div className={`app layout-${layout}`}>
      <Header
        workspace={workspace}
        others={list.data?.workspaces ?? []}
        home={home}
        branch={status?.branch ?? ''}
        undo={status?.undo ?? null}
        undoUnavailable={undoUnavailable}
        pill={
          <RecordingPill
            look={look}
            offline={offline}
            watching={
              status && status.host.watching !== 'off' ? { on: status.host.watching === 'on', set: writes.watch } : null
            }
            onCheck={writes.check}
            onCoverage={() => setSmall('coverage')}
          />
        }
        drawer={layout === 'medium' ? { open: panes.drawer, toggle: panes.toggleTimeline } : null}
        onSwitch={onSwitch}
        onHome={onHome}
        onUndo={() => writes.step('undo')}
        onPalette={() => hub.state().openPalette()}
        onHelp={() => hub.state().openHelp()}
      />
      <BannerBar scope={workspace.id} banners={banners} offline={offline} onAct={actOnBanner} />
      <div
        className={panes.column ? 'work' : 'work no-timeline'}
        style={{ '--timeline': `${sizes.timeline}px` }}
        onPointerDownCapture={readerActs}
        onKeyDownCapture={readerActs}
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
        {empty ? (
          <EmptyWorkspace status={status} />
        ) : layout === 'tabs' && panes.tab === 'timeline' ? (
          timelinePane
        ) : past ? (
          <HistorySlot {...past} workspace={workspace} offline={offline} onShowEntry={going.showEntry} />
        ) : (
          <StageSlot
            workspace={workspace}
            model={model}
            panes={panes}
            writes={writes}
            going={going}
            history={history}
            follow={follow}
            session={session}
            tab={tab}
            side={side}
            pair={pair}
            picked={picked}
            onPick={setPicked}
            offline={offline}
            onAct={openAct}
            onRestore={restore}
            onUndo={undo}
            onPin={() => setSmall('pin')}
            reviewRef={review}
          />
        )}
        {panes.drawer ? <div className="drawer">{timelinePane}</div> : null}
      </div>
      <StatusBar
        status={status}
        copy={status?.copy ?? null}
        work={{ recorded: look.tone === 'live', now: model.now, onWhy: () => setSmall('waits') }}
        onCoverage={() => setSmall('coverage')}
        onCheck={writes.check}
      />
      {writes.preview ? (
        <RestoreSlot
          key={JSON.stringify(writes.preview)}
          client={client}
          workspace={workspace.id}
          act={writes.preview}
          onClose={writes.close}
          onDone={writes.done}
        />
      ) : null}
      <WorkspaceDialogs
        open={small}
        workspace={workspace}
        status={status}
        onPin={writes.pin}
        onForgotten={onHome}
        onClose={() => setSmall(null)}
      />
    </div>
  )

  /** What is read now stays; a run is followed no longer, unless it was its own bar that was used. */
  function readerActs(event: SyntheticEvent) {
    model.hold()
    if (follow.on && !(event.target as Element).closest('.entry')) follow.set(false)
  }
}
