/**
 * [DR-7] Which outside changes count as undone after a restore: those that it undid, and no longer those that its undo
 * restored. A redo counts as the restore again.
 */
import type { RestoreState } from '../../../contract/restore.ts'
import { editsOfTarget, findUndoOfFile } from '../diff/file-review.ts'
import { closeDrift, reopenDrift } from '../drift/drifts.ts'
import { driftWithParts } from '../store/drifts.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { findRestore, type RestoreRow } from '../store/restores.ts'
import type { Writable } from '../store/sql.ts'

/** `row` has ended as `state` and wrote the `touched` paths. */
export function updateDrifts(
  tx: Writable<Store>,
  row: RestoreRow,
  state: RestoreState,
  touched: readonly PathId[]
): void {
  const drift = driftOf(tx, row)
  if (drift === null) return
  if (row.act === 'drift' && row.whole === 1 && state === 'done') {
    closeDrift(tx, drift, 'put-back')
    return
  }
  const paths = touched.map((path) => ({ id: path, name: tx.records.headById(path).path }))
  for (const part of driftWithParts(tx, drift)) {
    const own = editsOfTarget(tx, part.id)
    const undone = new Set(paths.filter(({ name }) => findUndoOfFile(tx, own, name) !== null))
    if (part.state !== 'put-back')
      closeDrift(
        tx,
        part.id,
        'put-back',
        [...undone].map(({ name }) => name)
      )
    else
      reopenDrift(
        tx,
        part.id,
        paths.filter((path) => !undone.has(path)).map(({ id }) => id)
      )
  }
}

/** The outside change that a restore undid, or that an undo or redo of such a restore is about. */
function driftOf(store: Store, row: RestoreRow): string | null {
  let first = row
  while (first.act !== 'drift') {
    const undone = first.undoes === null ? null : findRestore(store, first.undoes)
    if (undone === null) return null
    first = undone
  }
  return first.target
}
