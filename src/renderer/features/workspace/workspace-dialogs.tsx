/** The small dialogs of an open workspace: coverage, pin, why restores wait, a moved folder, stop recording. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { requireText, TextDialog } from '../../ui/text-dialog.tsx'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { RestoreWaitDialog } from '../status/restore-wait-dialog.tsx'

export type WorkspaceDialog = 'coverage' | 'pin' | 'restore-wait' | 'locate' | 'remove'

interface WorkspaceDialogsProps {
  readonly open: WorkspaceDialog | null
  readonly workspace: Workspace
  readonly status: WorkspaceStatus | null
  readonly onPin: (label: string) => void
  readonly onRemoved: () => void
  readonly onClose: () => void
}

export function WorkspaceDialogs(props: WorkspaceDialogsProps) {
  const { open, workspace, onPin, onRemoved, onClose } = props
  const { client } = useDriftline()
  const [problem, setProblem] = useState<string | null>(null)
  const report = (error: unknown) => setProblem(toErrorShape(error).message)
  const close = () => {
    setProblem(null)
    onClose()
  }
  switch (open) {
    case null:
      return null
    case 'coverage':
      return <CoverageDialog workspace={workspace.id} onClose={close} />
    case 'restore-wait':
      return <RestoreWaitDialog status={props.status} onClose={close} />
    case 'pin':
      return (
        <TextDialog
          title="Pin a checkpoint"
          text="Saves the project as it is now, and your place in open conversations."
          label="Checkpoint name"
          placeholder="Before the tax work"
          confirmLabel="Pin"
          invalidReason={() => null}
          onConfirm={(label) => {
            close()
            onPin(label)
          }}
          onClose={close}
        />
      )
    case 'locate':
      return (
        <TextDialog
          title={`Where is ${workspace.name} now?`}
          text="Its history continues in the new folder. Driftline compares the folder with the history and writes nothing to it."
          label="Folder path"
          placeholder={workspace.root}
          initial={workspace.root}
          confirmLabel="Use this folder"
          invalidReason={requireText}
          problem={problem}
          onConfirm={(folder) => {
            client.call('workspaces.locate', { workspace: workspace.id, folder }).then(close, report)
          }}
          onClose={close}
        />
      )
    case 'remove':
      return (
        <ConfirmDialog
          title={`Stop recording ${workspace.name}?`}
          confirmLabel="Stop recording"
          problem={problem}
          onConfirm={() => {
            client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: false }).then(onRemoved, report)
          }}
          onClose={close}
        >
          <p>The folder is removed from the list. Its history is kept and returns when you add the folder again.</p>
        </ConfirmDialog>
      )
  }
}
