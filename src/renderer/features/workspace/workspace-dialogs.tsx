/** The small dialogs of an open workspace: coverage, pin, why restores wait, a moved folder, stop recording. */
import { lazy, Suspense } from 'react'
import { TextDialog } from '../../ui/confirm-dialog.tsx'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { RestoreWaitDialog } from '../status/restore-wait-dialog.tsx'
import { LocateDialog, StopRecordingDialog } from './folder-dialogs.tsx'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from './state/context.tsx'

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
  const { workspace, store, actions } = useOpenWorkspace()
  const { dialog, status } = useWorkspaceFields('dialog', 'status')
  const close = () => store.setState({ dialog: null })
  switch (dialog) {
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
      return <LocateDialog workspace={workspace} onDone={close} onClose={close} />
    case 'remove':
      return <StopRecordingDialog workspace={workspace} onDone={onRemoved} onClose={close} />
  }
}
