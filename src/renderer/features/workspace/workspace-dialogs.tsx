/** The small dialogs of an open workspace: coverage, pin, why restores wait, a moved folder, stop recording. */
import { lazy, Suspense, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { requireText, TextDialog } from '../../ui/text-dialog.tsx'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { RestoreWaitDialog } from '../status/restore-wait-dialog.tsx'
import { useOpenWorkspace, useWorkspaceState } from './state/context.tsx'

/** Loaded when the first preview opens. */
const RestoreDialog = lazy(async () => ({ default: (await import('../restore/restore-dialog.tsx')).RestoreDialog }))

export function RestorePreview() {
  const { workspace, actions } = useOpenWorkspace()
  const preview = useWorkspaceState((state) => state.preview)
  if (!preview) return null
  return (
    <Suspense fallback={null}>
      <RestoreDialog
        key={JSON.stringify(preview)}
        workspace={workspace.id}
        request={preview}
        onClose={actions.closePreview}
        onDone={actions.finishRestore}
      />
    </Suspense>
  )
}

export function WorkspaceDialogs({ onRemoved }: { readonly onRemoved: () => void }) {
  const { client } = useDriftline()
  const { workspace, store, actions } = useOpenWorkspace()
  const open = useWorkspaceState((state) => state.dialog)
  const status = useWorkspaceState((state) => state.status)
  const [problem, setProblem] = useState<string | null>(null)
  const report = (error: unknown) => setProblem(toErrorShape(error).message)
  const close = () => {
    setProblem(null)
    store.setState({ dialog: null })
  }
  switch (open) {
    case null:
      return null
    case 'coverage':
      return <CoverageDialog workspace={workspace.id} onClose={close} />
    case 'restore-wait':
      return <RestoreWaitDialog status={status} onClose={close} />
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
            actions.pin(label)
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
