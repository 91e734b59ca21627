/** Deletes the whole history of a workspace. This cannot be undone, so the person must type its name. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { TextDialog } from '../../ui/text-dialog.tsx'

interface DeleteDialogProps {
  readonly workspace: Workspace
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export function DeleteDialog({ workspace, onDeleted, onClose }: DeleteDialogProps) {
  const { client } = useDriftline()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const act = () => {
    setBusy(true)
    client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: true }).then(onDeleted, (thrown) => {
      setBusy(false)
      setProblem(toErrorShape(thrown).message)
    })
  }
  return (
    <TextDialog
      title={`Delete everything recorded for ${workspace.name}?`}
      text={
        <>
          Every earlier version of its files, every run and every conversation is deleted for good. The files in the
          folder do not change. Type <b>{workspace.name}</b> to confirm.
        </>
      }
      label="Folder name"
      confirmLabel="Delete history"
      danger
      invalidReason={(value) => (value !== workspace.name ? `type ${workspace.name} first` : busy ? 'deleting…' : null)}
      problem={problem}
      onConfirm={act}
      onClose={onClose}
    />
  )
}
