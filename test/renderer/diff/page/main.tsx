/** The page the tests open: the files and the diff side by side, and the restore dialog over a button. */
import '../../../../src/renderer/styles/index.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { DriftlineProvider } from '../../../../src/renderer/client/context.tsx'
import { browserPlatform } from '../../../../src/renderer/client/hosts.ts'
import { DiffPane } from '../../../../src/renderer/features/diff/diff-pane.tsx'
import { FilesPane } from '../../../../src/renderer/features/files/files-pane.tsx'
import { RestoreDialog } from '../../../../src/renderer/features/restore/restore-dialog.tsx'
import { ToastProvider } from '../../../../src/renderer/features/toast/toasts.tsx'
import { WorkspaceData } from '../../../../src/renderer/features/workspace/workspace-data.tsx'
import { RestorePreview } from '../../../../src/renderer/features/workspace/workspace-screen.tsx'
import { useActions, useWorkspaceState, WorkspaceProvider } from '../../../../src/renderer/state/open-workspace.tsx'
import { PreferencesProvider } from '../../../../src/renderer/state/preferences.tsx'
import { IconSprite } from '../../../../src/renderer/ui/icon.tsx'
import { showScenes } from '../../../support/scenes.ts'
import { connectionOf, createPanes, WORKSPACE } from './engine.ts'
import { probeMonaco } from './probe-monaco.ts'

function Panes() {
  return (
    <WorkspaceProvider workspace={WORKSPACE}>
      <WorkspaceData />
      <div style={{ height: '100vh', display: 'grid', gridTemplateColumns: '264px minmax(0, 1fr)' }}>
        <Comparison />
      </div>
      <RestorePreview />
    </WorkspaceProvider>
  )
}

function Comparison() {
  const actions = useActions()
  const selection = useWorkspaceState((state) => state.selection)
  const isListed = useWorkspaceState(({ diff }) => diff !== null)
  useEffect(() => {
    if (isListed) actions.pickFile('src/cart/total.ts')
  }, [isListed, actions])
  if (!selection) return null
  return (
    <>
      <FilesPane selection={selection} />
      <div data-pane="diff" style={{ display: 'grid', minHeight: 0 }}>
        <DiffPane selection={selection} />
      </div>
    </>
  )
}

function Restore() {
  const [open, setOpen] = useState(false)
  const [ended, setEnded] = useState('')
  return (
    <main>
      <button type="button" id="opener" onClick={() => setOpen(true)}>
        Open
      </button>
      <output>{ended}</output>
      {open ? (
        <RestoreDialog
          workspace="ws"
          request={{ kind: 'restore', target: 'cp' }}
          onClose={() => setOpen(false)}
          onDone={(result) => {
            setEnded(result.state)
            setOpen(false)
          }}
          onQueued={() => {
            setEnded('queued')
            setOpen(false)
          }}
        />
      ) : null}
    </main>
  )
}

showScenes(createRoot, (query) => {
  const { panes, client } = createPanes()
  panes.live = query.has('live')
  panes.ending = (query.get('ending') ?? 'done') as RestoreResult['state']
  Object.assign(window, { panes, probeMonaco })
  return {
    content: (
      <StrictMode>
        <DriftlineProvider connection={connectionOf(client)} platform={browserPlatform()}>
          <PreferencesProvider>
            <ToastProvider>
              <IconSprite />
              {query.has('restore') ? <Restore /> : <Panes />}
              {query.has('both') ? <Restore /> : null}
            </ToastProvider>
          </PreferencesProvider>
        </DriftlineProvider>
      </StrictMode>
    )
  }
})
