/** The actions of a timeline row, those that cannot be used now with the reason. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { idOf, restoreOffer, undoOffer, whyNot } from './node.ts'
import type { NodeRow } from './rows.ts'

interface RowMenuDeps {
  readonly status: WorkspaceStatus | null
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  /** Another row is selected. */
  readonly comparable: boolean
  readonly restore: () => void
  readonly undo: () => void
  readonly compare: () => void
  readonly pin: () => void
}

export function rowMenu(row: NodeRow, deps: RowMenuDeps): MenuEntry[] {
  const { status, offline } = deps
  const restore = restoreOffer(row)
  const undo = undoOffer(row, status)
  return [
    {
      id: 'restore',
      label: restore.title,
      icon: 'restore',
      keys: 'R',
      disabled: whyNot(restore) ?? offline,
      run: deps.restore
    },
    { id: 'undo', label: undo.title, icon: 'undo', keys: 'U', disabled: whyNot(undo) ?? offline, run: deps.undo },
    'separator',
    {
      id: 'compare',
      label: 'Compare with what is selected',
      icon: 'swap',
      disabled: deps.comparable ? null : 'select another row first',
      run: deps.compare
    },
    { id: 'pin', label: 'Pin a checkpoint…', icon: 'pin', keys: 'P', disabled: offline, run: deps.pin },
    { id: 'copy', label: 'Copy the id', icon: 'copy', run: () => void navigator.clipboard?.writeText(idOf(row)) }
  ]
}
