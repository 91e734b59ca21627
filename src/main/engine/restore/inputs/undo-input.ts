/** [RS-13] The input of Undo and Redo: all Edits of one restore are undone. A redo undoes the undo. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Resolutions } from '../../../../contract/restore.ts'
import { seqsOfRestore } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import { findNextRedo, findNextUndo, findRestore } from '../../store/restores.ts'
import { defaultInput, type RequestInput } from './request-input.ts'
import { undoEdits } from './undo-edits.ts'

export function undoInput(store: Store, kind: 'undo' | 'redo', resolutions: Resolutions): RequestInput {
  const row = kind === 'undo' ? findNextUndo(store) : findNextRedo(store)
  if (!row) {
    throw new DriftlineError(
      'Refused',
      kind === 'undo' ? 'There is no restore to undo.' : 'There is no undone restore to redo.',
      { nothing: true }
    )
  }
  const edits = seqsOfRestore(store, row.id).map(store.records.edit)
  const titled = kind === 'redo' && row.undoes ? (findRestore(store, row.undoes) ?? row) : row
  return {
    ...defaultInput(store, resolutions),
    paths: undoEdits(store, edits, { selection: {}, cause: 'after-restore' }),
    title: titled.title,
    target: row.id,
    targetAt: row.at,
    undoes: row.id,
    whole: true
  }
}
