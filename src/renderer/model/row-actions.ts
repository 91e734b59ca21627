/** The two actions of a timeline row, restore and undo: the request each one starts, or why it is disabled. Pure. */
import type { RestoreRequest } from '../../contract/restore.ts'
import type { WorkspaceStatus } from '../../contract/status.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import { checkpointCauseText } from '../../contract/words/checkpoints.ts'
import { capitalized } from '../../contract/words/text.ts'
import { entryOf, isTurn, startOf } from './row-targets.ts'
import { isSelectable, type Row, type SelectableRow, turnOf } from './timeline-rows.ts'

interface RowAction {
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

const RESTORE_LABELS: Readonly<Record<TimelineEntry['kind'], string>> = {
  run: 'Restore to start…',
  checkpoint: 'Restore to here…',
  restore: 'Restore to before this restore…',
  drift: 'Restore to before these changes…'
}

/**
 * Restores everything to a recorded position: for runs and turns their start, for restores and outside changes the
 * position before.
 */
export function restoreAction(row: SelectableRow): RowAction {
  const restoreTo = (label: string, target: string) => enabled(label, { kind: 'restore', target })
  if (isTurn(row)) {
    const label = 'Restore to before this turn…'
    const turn = turnOf(row)
    return turn ? restoreTo(label, `${turn.id}:start`) : disabled(label, STILL_LOADING)
  }
  if (row.kind === 'checkpoint') {
    const { id, cause } = row.checkpoint
    const label = RESTORE_LABELS.checkpoint
    // Damaged content costs its own path only (RS-18), which the dialog names.
    return cause?.code === 'pruned' ? disabled(label, capitalized(checkpointCauseText(cause))) : restoreTo(label, id)
  }
  const entry = entryOf(row)
  return restoreTo(RESTORE_LABELS[entry.kind], startOf(entry))
}

/** What else decides whether a row can be undone. */
interface UndoFacts {
  readonly status: WorkspaceStatus | null
  /** The run that is known to have changed something of git: there is something to undo without any changed file. */
  readonly gitChangedBy: string | null
}

/** Reverts only what this row changed; later edits stay. */
export function undoAction(row: SelectableRow, { status, gitChangedBy }: UndoFacts): RowAction {
  const action = (label: string, unavailable: string | false, request: RestoreRequest) =>
    unavailable ? disabled(label, unavailable) : enabled(label, request)
  if (isTurn(row)) {
    const turn = turnOf(row)
    return action('Undo this turn…', !turn && STILL_LOADING, { kind: 'undo-run', run: turn?.id ?? '' })
  }
  const entry = entryOf(row)
  if (row.kind === 'checkpoint' || entry.kind === 'checkpoint') return disabled('Undo…', NOTHING_TO_UNDO)
  switch (entry.kind) {
    case 'run': {
      const isUnchanged = entry.files === 0 && entry.state !== 'live' && gitChangedBy !== entry.id
      const unchanged = isUnchanged && 'This run changed no files'
      const undone = entry.undone && 'This run is already undone'
      return action('Undo this run…', unchanged || undone, { kind: 'undo-run', run: entry.id })
    }
    case 'restore': {
      const undone = entry.undone && 'This restore is already undone'
      // Restores are undone in reverse order: only the newest one can be undone now.
      const older = status?.undo?.restore !== entry.id && 'Undo the newer restore first'
      return action('Undo this restore…', undone || older, { kind: 'undo' })
    }
    case 'drift': {
      const undone = entry.state === 'put-back' && 'These changes are already undone'
      return action('Undo these changes…', undone, { kind: 'drift', drift: entry.id })
    }
  }
}

/** Label of the button that undoes a row, null if the row cannot be undone. */
export function undoButtonLabel(row: Row, facts: UndoFacts): string | null {
  if (!isSelectable(row)) return null
  const { label, request } = undoAction(row, facts)
  return request ? label : null
}
