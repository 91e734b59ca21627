/**
 * An open workspace whose panes count their renders in `window.renders`, and fail while they are in `window.faults`.
 * Its React is the one for profiling: in the one that ships, Profiler reports nothing.
 */
import '../../../../src/renderer/styles/index.css'
import { Profiler, type ReactNode } from 'react'
import { createRoot } from 'react-dom/profiling'
import { DriftlineProvider } from '../../../../src/renderer/client/context.tsx'
import { browserPlatform } from '../../../../src/renderer/client/hosts.ts'
import { CommandProvider } from '../../../../src/renderer/commands/hub.tsx'
import { DiffPane } from '../../../../src/renderer/features/diff/diff-pane.tsx'
import { FilesPane } from '../../../../src/renderer/features/files/files-pane.tsx'
import { Timeline } from '../../../../src/renderer/features/timeline/timeline.tsx'
import { ToastProvider } from '../../../../src/renderer/features/toast/toasts.tsx'
import { EntryBar } from '../../../../src/renderer/features/workspace/entry-bar.tsx'
import { Header } from '../../../../src/renderer/features/workspace/header.tsx'
import { WorkspaceData } from '../../../../src/renderer/features/workspace/workspace-data.tsx'
import { useWorkspaceState, WorkspaceProvider } from '../../../../src/renderer/state/open-workspace.tsx'
import { PreferencesProvider } from '../../../../src/renderer/state/preferences.tsx'
import { IconSprite } from '../../../../src/renderer/ui/icon.tsx'
import { PaneBoundary } from '../../../../src/renderer/ui/pane-boundary.tsx'
import { showScenes } from '../../../support/scenes.ts'
import { connectionOf, createPanes, WORKSPACE } from '../../diff/page/engine.ts'

export type Renders = Record<'header' | 'timeline' | 'entry' | 'files' | 'diff', number>

/** Of the scene on the page. */
let renders: Renders
/** Panes that fail when they are drawn. */
let faults: Set<string>

function Faulty({ pane }: { readonly pane: string }) {
  if (faults.has(pane)) throw new Error(`${pane} is broken on purpose`)
  return null
}

function Counted({ id, children }: { readonly id: keyof Renders; readonly children: ReactNode }) {
  return (
    <Profiler
      id={id}
      onRender={() => {
        renders[id]++
      }}
    >
      {children}
    </Profiler>
  )
}

function Panes() {
  const selected = useWorkspaceState((state) => state.selected)
  const selection = useWorkspaceState((state) => state.selection)
  return (
    <div style={{ height: '70vh', display: 'grid', gridTemplateColumns: '284px 264px minmax(0, 1fr)' }}>
      <Counted id="timeline">
        <Timeline />
      </Counted>
      <Counted id="files">
        <PaneBoundary name="the changed files" resetOn={selection?.query.target ?? null}>
          <Faulty pane="files" />
          {selection ? <FilesPane selection={selection} /> : null}
        </PaneBoundary>
      </Counted>
      <Counted id="diff">{selection ? <DiffPane selection={selection} /> : null}</Counted>
      <Counted id="entry">{selected ? <EntryBar selected={selected} /> : null}</Counted>
    </div>
  )
}

const doNothing = () => {}
const APP = {
  host: 'browser',
  offline: null,
  offlineHere: null,
  openPalette: doNothing,
  openHelp: doNothing,
  openWindow: doNothing,
  openFolder: doNothing,
  openSettings: doNothing,
  setTheme: doNothing,
  goHome: doNothing,
  showToday: doNothing
} as const

showScenes(createRoot, (query) => {
  const { panes, client } = createPanes()
  panes.live = query.has('live')
  renders = { header: 0, timeline: 0, entry: 0, files: 0, diff: 0 }
  faults = new Set()
  Object.assign(window, { panes, renders, faults })
  return {
    content: (
      <DriftlineProvider connection={connectionOf(client)} platform={browserPlatform()}>
        <PreferencesProvider>
          <ToastProvider>
            <CommandProvider app={APP} letterKeys onUnavailable={doNothing}>
              <IconSprite />
              <WorkspaceProvider workspace={WORKSPACE}>
                <WorkspaceData />
                <Counted id="header">
                  <Header onSwitch={doNothing} onHome={doNothing} />
                </Counted>
                <Panes />
              </WorkspaceProvider>
            </CommandProvider>
          </ToastProvider>
        </PreferencesProvider>
      </DriftlineProvider>
    )
  }
})
