/** The two actions of a timeline row, restore and undo: the request each one starts, or why it is disabled. Pure. */
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { entryOf, isSelectable, isTurn } from './row-targets.ts'
import { type Row, type SelectableRow, turnOf } from './timeline-rows.ts'

export interface RowAction {
  readonly label: string
  /** null if the action is disabled. */
  readonly request: RestoreRequest | null
  /** null if the action is enabled. */
  readonly disabledReason: string | null
}

function enabled(label: string, request: RestoreRequest): RowAction {
  return { label, request, disabledReason: null }
}

function disabled(label: string, disabledReason: string): RowAction {
  return { label, request: null, disabledReason }
}

const STILL_LOADING = 'Its details are still loading'
const NOTHING_TO_UNDO = 'A checkpoint changes no files'

/** Restores everything to a recorded position: for runs and turns their start, for restores and outside changes the position before. */
export function restoreAction(row: SelectableRow): RowAction {
  const restoreTo = (label: string, target: string) => enabled(label, { kind: 'restore', target })
  if (row.kind === 'start') return restoreTo('Restore to start…', `${row.run.id}:start`)
  if (isTurn(row)) {
    const label = 'Restore to before this turn…'
    const turn = turnOf(row)
    return turn ? restoreTo(label, `${turn.id}:start`) : disabled(label, STILL_LOADING)
  }
  if (row.kind === 'checkpoint') {
    const label = 'Restore to here…'
    const { id, restorable, why } = row.checkpoint
    return restorable ? restoreTo(label, id) : disabled(label, why || 'It can no longer be restored')
  }
  const entry = entryOf(row)
  switch (entry.kind) {
    case 'run':
      return restoreTo('Restore to start…', `${entry.id}:start`)
    case 'checkpoint':
      return restoreTo('Restore to here…', entry.id)
    case 'restore':
      return restoreTo('Restore to before this restore…', entry.id)
    case 'drift':
      return restoreTo('Restore to before these changes…', entry.id)
  }
}

/** Reverts only what this row changed; later edits stay. */
export function undoAction(row: SelectableRow, status: WorkspaceStatus | null): RowAction {
  if (isTurn(row)) {
    const label = 'Undo this turn…'
    const turn = turnOf(row)
    return turn ? enabled(label, { kind: 'undo-run', run: turn.id }) : disabled(label, STILL_LOADING)
  }
  if (row.kind === 'checkpoint') return disabled('Undo…', NOTHING_TO_UNDO)
  const entry = entryOf(row)
  switch (entry.kind) {
    case 'run': {
      const label = 'Undo this run…'
      if (entry.files === 0 && entry.state !== 'live') return disabled(label, 'This run changed no files')
      if (entry.takenBack) return disabled(label, 'This run is already undone')
      return enabled(label, { kind: 'undo-run', run: entry.id })
    }
    case 'checkpoint':
      return disabled('Undo…', NOTHING_TO_UNDO)
    case 'restore': {
      const label = 'Undo this restore…'
      if (entry.undone) return disabled(label, 'This restore is already undone')
      // Restores are undone in reverse order: only the newest one can be undone now.
      if (status?.undo?.restore === entry.id) return enabled(label, { kind: 'undo' })
      return disabled(label, 'Undo the newer restore first')
    }
    case 'drift': {
      const label = 'Undo these changes…'
      if (entry.state === 'put-back') return disabled(label, 'These changes are already undone')
      return enabled(label, { kind: 'drift', drift: entry.id })
    }
  }
}

/** Label of the button that undoes a row, null if the row cannot be undone. */
export function undoButtonLabel(row: Row, status: WorkspaceStatus | null): string | null {
  if (!isSelectable(row)) return null
  const { label, request } = undoAction(row, status)
  return request ? label : null
}
