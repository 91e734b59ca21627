/** The restore dialog in a chunk of its own: loaded after the editor, or when the first preview opens. */
import type { ComponentProps } from 'react'
import { type DeferredComponent, deferred } from '../../ui/deferred.tsx'
import type { RestoreDialog as Dialog } from '../restore/restore-dialog.tsx'

export const RestoreDialog: DeferredComponent<ComponentProps<typeof Dialog>> = deferred(
  async () => (await import('../restore/restore-dialog.tsx')).RestoreDialog
)
