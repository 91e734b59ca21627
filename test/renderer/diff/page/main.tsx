/** The page the tests open: the files and the diff side by side, and the restore dialog over a button. */
import '../../../../src/renderer/styles/index.css'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { DiffPane } from '../../../../src/renderer/features/diff/diff-pane.tsx'
import { stepFile } from '../../../../src/renderer/features/files/file-order.ts'
import { FilesPane } from '../../../../src/renderer/features/files/files-pane.tsx'
import { RestoreDialog } from '../../../../src/renderer/features/restore/restore-dialog.tsx'
import { useReview } from '../../../../src/renderer/features/workspace/use-review.ts'
import { IconSprite } from '../../../../src/renderer/ui/icon-sprite.tsx'
import { createPanes } from './engine.ts'
import { FILES } from './samples.ts'

const { panes, client } = createPanes()
const query = new URLSearchParams(location.search)
panes.live = query.has('live')
panes.ending = (query.get('ending') ?? 'done') as RestoreResult['state']
Object.assign(window, { panes })

const DIFF = {
  prevCheckpointId: '',
  toCheckpointId: '',
  fromSeq: 1,
  toSeq: 9,
  workspaceDrifted: false,
  warning: '',
  files: FILES
}
const SELECTION = { target: 'run_1', run: 'run_1', fromSeq: 1, toSeq: 9 }

const NONE: ReadonlySet<string> = new Set()

function Panes() {
  const [path, setPath] = useState<string | null>('src/cart/total.ts')
  const review = useReview('run_1')
  const [undo, setUndo] = useState<{ readonly path: string; readonly n: number } | null>(null)
  return (
    <div style={{ height: '100vh', display: 'grid', gridTemplateColumns: '264px minmax(0, 1fr)' }}>
      <FilesPane
        client={client}
        workspace="ws"
        selection={SELECTION}
        diff={DIFF}
        loading={false}
        error={null}
        selectedPath={path}
        onSelect={setPath}
        onOpenDiff={() => document.querySelector<HTMLElement>('main')?.focus()}
        onRestoreFile={() => {}}
        onVersions={() => {}}
        reviewed={review.reviewed}
        writing={NONE}
        onToggleReviewed={(path) => review.setReviewed(path, !review.reviewed.has(path))}
      />
      <DiffPane
        client={client}
        workspace="ws"
        selection={SELECTION}
        file={FILES.find((file) => file.path === path) ?? null}
        files={FILES}
        live={query.has('live')}
        writing={false}
        onStep={(delta) => setPath((before) => stepFile(FILES, before, delta) ?? before)}
        onOpenFile={setPath}
        review={review}
        verb="Undo"
        onShowEntry={() => {}}
        onHistory={() => {}}
        onUndoFile={() => {}}
        onUndoChange={(changed, n) => setUndo({ path: changed, n })}
      />
      {undo ? (
        <RestoreDialog
          client={client}
          workspace="ws"
          request={{ kind: 'undo-run', run: 'run_1', hunks: { [undo.path]: [undo.n] }, onConflict: 'merge' }}
          onClose={() => setUndo(null)}
          onDone={() => setUndo(null)}
        />
      ) : null}
    </div>
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
          client={client}
          workspace="ws"
          request={{ kind: 'restore', target: 'cp' }}
          onClose={() => setOpen(false)}
          onDone={(result) => {
            setEnded(result.state)
            setOpen(false)
          }}
        />
      ) : null}
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <IconSprite />
    {query.has('restore') ? <Restore /> : <Panes />}
    {query.has('both') ? <Restore /> : null}
  </StrictMode>
)
