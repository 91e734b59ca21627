/** Deleting a folder's whole history: the one act nothing brings back, so its name is typed first. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface DeleteDialogProps {
  readonly workspace: Workspace
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export function DeleteDialog({ workspace, onDeleted, onClose }: DeleteDialogProps) {
  const { client } = useDriftline()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const waits = typed.trim() === workspace.name ? (busy ? 'being deleted' : null) : `type ${workspace.name} first`
  const act = () => {
    if (waits) return
    setBusy(true)
    client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: true }).then(onDeleted, (thrown) => {
      setBusy(false)
      setProblem(toErrorShape(thrown).message)
    })
  }
  return (
    <Dialog
      labelledBy="delete-title"
      describedBy="delete-about"
      className="dialog ask"
      role="alertdialog"
      initialFocus="input"
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          act()
        }}
      >
        <header>
          <h1 id="delete-title">Delete everything recorded for {workspace.name}?</h1>
        </header>
        <div className="ask-text">
          <p id="delete-about">
            Every earlier state of its files, every run and every conversation goes, and nothing brings them back. The
            files in the folder stay as they are now. Type <b>{workspace.name}</b> to go on.
          </p>
          <div className="field ask-field">
            <input
              aria-label="Name of the folder"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          {problem ? (
            <p className="c-danger" role="alert">
              {problem}
            </p>
          ) : null}
        </div>
        <footer>
          <span className="grow" />
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" kind="danger" type="submit" disabledReason={waits}>
            Delete the history
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
