/** The restore preview, loaded when it is first needed. */
import { lazy, Suspense } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { Act, RestoreResult } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'

interface RestoreSlotProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly act: Act
  readonly onClose: () => void
  readonly onDone: (result: RestoreResult) => void
}

const RestoreDialog = lazy(async () => ({ default: (await import('../restore/restore-dialog.tsx')).RestoreDialog }))

export function RestoreSlot(props: RestoreSlotProps) {
  return (
    <Suspense fallback={null}>
      <RestoreDialog {...props} />
    </Suspense>
  )
}
