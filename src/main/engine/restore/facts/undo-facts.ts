/** Facts of Undo and Redo: the Edits of one restore go back, whole (RS-13). */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Choices } from '../../../../contract/restore.ts'
import type { Store } from '../../store/open-store.ts'
import { findRestore, nextRedo, nextUndo } from '../journal.ts'
import { type ActFacts, neutralFacts } from './act-facts.ts'
import { takeBack } from './take-back.ts'

export function undoFacts(store: Store, kind: 'undo' | 'redo', choices: Choices): ActFacts {
  const row = kind === 'undo' ? nextUndo(store) : nextRedo(store)
  if (!row) {
    throw new DriftlineError(
      'Refused',
      kind === 'undo' ? 'There is no restore to undo.' : 'There is no undone restore to do again.',
      { nothing: true }
    )
  }
  const edits = (store.db.prepare('SELECT seq FROM edit WHERE restore = ?').all(row.id) as { seq: number }[]).map(
    (one) => store.records.edit(one.seq)
  )
  const done = kind === 'redo' && row.undoes ? (findRestore(store, row.undoes) ?? row) : row
  return {
    ...neutralFacts(store, choices),
    paths: takeBack(store, edits, { selection: {}, reason: 'changed since' }),
    title: done.title,
    target: row.id,
    targetAt: row.at,
    undoes: row.id,
    whole: true
  }
}
