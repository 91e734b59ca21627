/** The context menu of a timeline row. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { restoreAction, undoAction } from './row-actions.ts'
import { commandLineId } from './row-targets.ts'
import type { SelectableRow } from './timeline-rows.ts'

interface RowMenuDeps {
  readonly status: WorkspaceStatus | null
  /** Why nothing can be written now, null while connected. */
  readonly offline: string | null
  /** Another row is selected. */
  readonly comparable: boolean
  readonly restore: () => void
  readonly undo: () => void
  readonly compare: () => void
  readonly pin: () => void
}

export function rowMenu(row: SelectableRow, deps: RowMenuDeps): MenuEntry[] {
  const { status, offline } = deps
  const restore = restoreAction(row)
  const undo = undoAction(row, status)
  return [
    {
      id: 'restore',
      label: restore.label,
      icon: 'restore',
      keys: 'R',
      disabled: restore.disabledReason ?? offline,
      run: deps.restore
    },
    {
      id: 'undo',
      label: undo.label,
      icon: 'undo',
      keys: 'U',
      disabled: undo.disabledReason ?? offline,
      run: deps.undo
    },
    'separator',
    {
      id: 'compare',
      label: 'Compare with selected',
      icon: 'swap',
      disabled: deps.comparable ? null : 'Select another row first',
      run: deps.compare
    },
    { id: 'pin', label: 'Pin a checkpoint…', icon: 'pin', keys: 'P', disabled: offline, run: deps.pin },
    { id: 'copy', label: 'Copy ID', icon: 'copy', run: () => void navigator.clipboard?.writeText(commandLineId(row)) }
  ]
}
