/** An open folder: header, banner, timeline, files and diff, status bar. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Act } from '../../../contract/api.ts'
import type { Workspace } from '../../../contract/domain.ts'
import { toErrorShape } from '../../../contract/errors.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import type { Pane } from '../../commands/state.ts'
import { Ask } from '../../ui/ask.tsx'
import { shortPath } from '../../ui/format.ts'
import { Splitter } from '../../ui/splitter.tsx'
import { BannerBar } from '../banners/banner-bar.tsx'
import { type BannerAct, bannersOf } from '../banners/banners.ts'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { RecordingPill, recordingLook } from '../status/recording-pill.tsx'
import { StatusBar } from '../status/status-bar.tsx'
import { actOf, idOf, nodeTitle, restoreOffer, undoOffer, whyNot } from '../timeline/node.ts'
import type { NodeRow } from '../timeline/rows.ts'
import { Timeline, type TimelineHandle } from '../timeline/timeline.tsx'
import { EntryBar } from './entry-bar.tsx'
import { Header } from './header.tsx'
import { TIMELINE, useLayout, useSizes } from './layout.ts'
import { PaneTabs } from './pane-tabs.tsx'
import { focusPane, nextPane } from './panes.ts'
import { RestoreSlot } from './restore-slot.tsx'
import { TextDialog } from './small-dialogs.tsx'
import { type Picked, Stage, scopeOf } from './stage.tsx'
import { EmptyWorkspace } from './stage-states.tsx'
import { useWorkspace } from './use-workspace.ts'
import { useWrites } from './use-writes.ts'

interface WorkspaceScreenProps {
  readonly workspace: Workspace
  readonly home: string
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

type Small = 'coverage' | 'pin' | 'locate' | 'forget'

export function WorkspaceScreen({ workspace, home, onSwitch, onHome }: WorkspaceScreenProps) {
  const { client, connection, platform } = useDriftline()
  const link = useConnectionState()
  const hub = useCommandHub()
  const { letterKeys } = usePreferences()
  const model = useWorkspace(workspace.id)
  const { status, selected, rows } = model
  const writes = useWrites(workspace.id, status)
  const layout = useLayout()
  const [sizes, setSizes] = useSizes(workspace.id)
  const [drawer, setDrawer] = useState(false)
  const [tab, setTab] = useState<Pane>('timeline')
  const [small, setSmall] = useState<Small | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const timeline = useRef<TimelineHandle>(null)
  const list = useQuery('workspaces.list', {}, { workspace: null, on: ['status'] })

  const offline = link.phase === 'open' ? null : 'waits for the connection to the recorder'
  const folder = shortPath(workspace.root, home)
  const undoUnavailable = offline ?? (status?.undo ? null : 'nothing was restored yet')
  const redoUnavailable = offline ?? (status?.redo ? null : 'nothing was undone')

  const restore = (node: NodeRow) => openAct(actOf(restoreOffer(node)))
  const undo = (node: NodeRow) => openAct(actOf(undoOffer(node, status)))
  const openAct = (act: Act | null) => {
    if (act && !offline) writes.open(act)
  }
  const goTo = (pane: Pane) => {
    const focus = () => (pane === 'timeline' ? timeline.current?.focus() : focusPane(pane))
    if (layout === 'tabs') setTab(pane)
    if (pane === 'timeline' && layout === 'medium') setDrawer(true)
    if (pane === 'timeline' && layout === 'wide' && !sizes.timelineShown) setSizes({ timelineShown: true })
    focus()
    // A pane that was not shown is there after the next paint.
    if (layout !== 'wide' || !sizes.timelineShown) requestAnimationFrame(focus)
  }
  const toggleTimeline = () => {
    if (layout === 'wide') setSizes({ timelineShown: !sizes.timelineShown })
    else if (layout === 'medium') setDrawer(!drawer)
    else setTab('timeline')
  }

  // What commands can do here, anew after every render.
  useLayoutEffect(() => {
    const node = selected && !selected.other ? selected.node : null
    hub.setWorkspace({
      node: node && {
        restoreTitle: restoreOffer(node).title,
        restoreUnavailable: whyNot(restoreOffer(node)),
        undoTitle: undoOffer(node, status).title,
        undoUnavailable: whyNot(undoOffer(node, status))
      },
      undoUnavailable,
      redoUnavailable,
      restoreHere: () => node && restore(node),
      undoThis: () => node && undo(node),
      undoRestore: () => writes.step('undo'),
      redoRestore: () => writes.step('redo'),
      pin: () => setSmall('pin'),
      check: writes.check,
      showCoverage: () => setSmall('coverage'),
      focusPane: goTo,
      stepPane: (by) => goTo(nextPane(document.activeElement, by)),
      toggleTimeline,
      filterTimeline: () => {
        goTo('timeline')
        requestAnimationFrame(() => timeline.current?.focusFilter())
      },
      entries: model.timeline.pages?.entries ?? [],
      files: model.diff.diff?.files ?? [],
      selectEntry: model.selectEntry,
      selectFile: (path) => {
        if (model.question) setPicked({ scope: scopeOf(model.question), path })
        goTo('diff')
      },
      id: workspace.id
    })
  })
  useEffect(() => () => hub.setWorkspace(null), [hub])

  // Focus moves into the drawer; Escape and a press beside it leave it.
  useEffect(() => {
    if (!drawer) return
    const opener = document.activeElement
    requestAnimationFrame(() => timeline.current?.focus())
    const press = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest('.drawer, .menu, .head')) setDrawer(false)
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setDrawer(false)
    }
    window.addEventListener('keydown', key)
    window.addEventListener('pointerdown', press)
    return () => {
      window.removeEventListener('keydown', key)
      window.removeEventListener('pointerdown', press)
      if (opener instanceof HTMLElement && !document.activeElement?.isConnected) opener.focus()
    }
  }, [drawer])

  const lastRun = rows.find((row) => row.kind === 'entry' && row.entry.kind === 'run' && row.entry.state !== 'live')
  const banners = bannersOf({
    status,
    folder,
    downSince: link.downSince,
    lastContact: link.lastContact,
    now: model.now,
    lastRun: lastRun?.kind === 'entry' && lastRun.entry.kind === 'run' ? nodeTitle(lastRun) : ''
  })

  const act = (what: BannerAct) => {
    switch (what.do) {
      case 'retry':
        return connection.retry()
      case 'copy-details':
        return void navigator.clipboard?.writeText(JSON.stringify({ link, platform: platform.kind }, null, 2))
      case 'copy-text':
        return void navigator.clipboard?.writeText(what.text)
      case 'locate':
        return void locate()
      case 'forget':
        return setSmall('forget')
      case 'recover-finish':
        return writes.open({ kind: 'recover', how: 'finish' })
      case 'recover-undo':
        return writes.open({ kind: 'recover', how: 'undo' })
      case 'show-coverage':
        return setSmall('coverage')
      case 'finish-copy':
        return void client.call('workspaces.add', { folder: workspace.root, wait: false }).catch(report)
      case 'review-drift':
        model.selectEntry(what.drift)
        return goTo('files')
      case 'review-restore':
        model.selectEntry(what.restore)
        return goTo('files')
      case 'accept-drift':
        return writes.accept(what.drift)
      case 'put-back':
        return writes.open({ kind: 'drift', drift: what.drift })
    }
  }
  const report = (error: unknown) => setProblem(toErrorShape(error).message)
  const locate = async () => {
    setProblem(null)
    if (!platform.chooseFolder) return setSmall('locate')
    const chosen = await platform.chooseFolder()
    if (chosen) await moveTo(chosen)
  }
  const moveTo = async (to: string) => {
    try {
      await client.call('workspaces.locate', { workspace: workspace.id, folder: to })
      setSmall(null)
    } catch (error) {
      report(error)
    }
  }

  const timelinePane = (
    <Timeline
      ref={timeline}
      data={model.timeline}
      rows={rows}
      rails={model.rails}
      beside={model.beside}
      status={status}
      selected={selected?.node.key ?? null}
      compared={selected?.other?.key ?? null}
      now={model.now}
      filter={model.filter}
      letterKeys={letterKeys}
      offline={offline}
      onFilter={model.setFilter}
      onSelect={model.select}
      onFold={model.fold}
      enterOnPress={layout === 'tabs'}
      onEnter={() => {
        setDrawer(false)
        goTo('files')
      }}
      onRestore={restore}
      onUndo={undo}
      onPin={() => setSmall('pin')}
    >
      {layout === 'wide' ? (
        <Splitter
          label="Width of the timeline"
          controls="timeline-pane"
          value={sizes.timeline}
          min={TIMELINE.min}
          max={TIMELINE.max}
          initial={TIMELINE.initial}
          onChange={(width) => setSizes({ timeline: width })}
        />
      ) : null}
    </Timeline>
  )
  const showTimeline = layout === 'wide' && sizes.timelineShown
  const empty = model.timeline.pages?.entries.length === 0 && model.filter.text === '' && model.filter.kinds === 'all'
  const { question } = model

  return (
    <div className={`app layout-${layout} tab-${tab}`}>
      <Header
        workspace={workspace}
        others={list.data?.workspaces ?? []}
        home={home}
        branch={status?.branch ?? ''}
        undo={status?.undo ?? null}
        undoUnavailable={undoUnavailable}
        pill={
          <RecordingPill
            look={recordingLook(status, link, model.now)}
            offline={offline}
            onCheck={writes.check}
            onCoverage={() => setSmall('coverage')}
          />
        }
        drawer={layout === 'medium' ? { open: drawer, toggle: toggleTimeline } : null}
        onSwitch={onSwitch}
        onHome={onHome}
        onUndo={() => writes.step('undo')}
        onPalette={() => hub.state().openPalette()}
        onHelp={() => hub.state().openHelp()}
      />
      <BannerBar scope={workspace.id} banners={banners} offline={offline} onAct={act} />
      <div className={showTimeline ? 'work' : 'work no-timeline'} style={{ '--timeline': `${sizes.timeline}px` }}>
        {showTimeline ? timelinePane : null}
        {layout === 'tabs' ? <PaneTabs tab={tab} files={model.diff.diff?.files.length ?? null} onTab={setTab} /> : null}
        {layout === 'tabs' && tab === 'timeline' ? timelinePane : stage()}
        {layout === 'medium' && drawer ? <div className="drawer">{timelinePane}</div> : null}
      </div>
      <StatusBar
        status={status}
        copy={status?.copy ?? null}
        onCoverage={() => setSmall('coverage')}
        onCheck={writes.check}
      />
      {writes.preview ? (
        <RestoreSlot
          client={client}
          workspace={workspace.id}
          act={writes.preview}
          onClose={writes.close}
          onDone={writes.done}
        />
      ) : null}
      {smallDialog()}
    </div>
  )

  function stage() {
    if (empty) return <EmptyWorkspace status={status} />
    if (!selected || !question) {
      return (
        <div className="stage">
          {model.timeline.error && !model.timeline.pages ? (
            <main className="blank">
              <h1>Changes appear here once the timeline can be read.</h1>
            </main>
          ) : (
            <main className="blank" aria-busy="true" />
          )}
        </div>
      )
    }
    return (
      <Stage
        workspace={workspace.id}
        root={workspace.root}
        selected={selected}
        question={question}
        state={model.diff}
        live={model.live}
        layout={layout}
        tab={tab}
        filesWidth={sizes.files}
        picked={picked}
        onPick={setPicked}
        letterKeys={letterKeys}
        onFilesWidth={(width) => setSizes({ files: width })}
        onFocusDiff={() => goTo('diff')}
        onRestoreFile={(path, oldPath) => {
          const paths = oldPath === undefined ? [path] : [path, oldPath]
          const undoes = question.scope === 'turn' || question.scope === 'run'
          openAct(
            undoes
              ? { kind: 'undo-run', run: question.target, paths }
              : { kind: 'restore', target: question.target, paths }
          )
        }}
        entryBar={
          <EntryBar
            selected={selected}
            status={status}
            now={model.now}
            offline={offline}
            onRestore={() => restore(selected.node)}
            onUndo={() => undo(selected.node)}
            onStopCompare={() => model.select(selected.node, false)}
            more={[
              {
                id: 'pin',
                label: 'Pin a checkpoint…',
                icon: 'pin',
                keys: 'P',
                disabled: offline,
                run: () => setSmall('pin')
              },
              {
                id: 'copy-patch',
                label: 'Copy as a patch',
                icon: 'copy',
                disabled: offline,
                run: () => void copyPatch()
              },
              {
                id: 'copy-id',
                label: 'Copy the id',
                icon: 'link',
                run: () => void navigator.clipboard?.writeText(idOf(selected.node))
              }
            ]}
          />
        }
      />
    )
  }

  async function copyPatch() {
    if (!question) return
    try {
      const { patch } = await client.call('diff.patch', question)
      await navigator.clipboard.writeText(patch)
    } catch (error) {
      report(error)
    }
  }

  function smallDialog() {
    const close = () => {
      setSmall(null)
      setProblem(null)
    }
    if (small === 'coverage') return <CoverageDialog workspace={workspace.id} onClose={close} />
    if (small === 'pin') {
      return (
        <TextDialog
          title="Pin a checkpoint"
          text="What is on disk now gets a name in the timeline and is kept."
          label="Name of the checkpoint"
          placeholder="Before the tax work"
          act="Pin"
          optional
          onAct={(label) => {
            close()
            writes.pin(label)
          }}
          onClose={close}
        />
      )
    }
    if (small === 'locate') {
      return (
        <TextDialog
          title={`Where is ${workspace.name} now?`}
          text="Its history goes on at the new place. The folder there is compared with what is recorded; nothing is written."
          label="Path of the folder"
          placeholder={workspace.root}
          initial={workspace.root}
          act="Use this folder"
          error={problem}
          onAct={(to) => void moveTo(to)}
          onClose={close}
        />
      )
    }
    if (small === 'forget') {
      return (
        <Ask
          title={`Stop recording ${workspace.name}?`}
          act="Stop recording"
          onAct={() => {
            client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: false }).then(onHome, report)
          }}
          onClose={close}
        >
          <p>The folder leaves the list. What was recorded is kept and comes back when the folder is added again.</p>
          {problem ? <p role="alert">{problem}</p> : null}
        </Ask>
      )
    }
    return null
  }
}
