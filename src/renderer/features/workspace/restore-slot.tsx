/** The restore preview, loaded when it is first needed. */
import { type ComponentType, lazy, Suspense } from 'react'
import type { Act, Client } from '../../../contract/api.ts'
import type { RestoreResult, WorkspaceId } from '../../../contract/domain.ts'

export interface RestoreDialogProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly act: Act
  readonly onClose: () => void
  readonly onDone: (result: RestoreResult) => void
}

const modules = import.meta.glob<{ RestoreDialog: ComponentType<RestoreDialogProps> }>('../restore/restore-dialog.tsx')

const Lazy = lazy(async () => {
  const load = Object.values(modules)[0]
  if (!load) throw new Error('the restore preview is not part of this build')
  return { default: (await load()).RestoreDialog }
})

export function RestoreSlot(props: RestoreDialogProps) {
  return (
    <Suspense fallback={null}>
      <Lazy {...props} />
    </Suspense>
  )
}
