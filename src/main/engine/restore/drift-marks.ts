/**
 * [DR-7] Which outside changes count as undone after a restore of any kind: those of which it undid every edit, and no
 * longer those that an undo restored. What a person accepted stays accepted, unless it was restored by itself.
 */
import type { RestoreState } from '../../../contract/restore.ts'
import { editsOfTarget, findUndoOfPath } from '../diff/file-review.ts'
import { closeDrift, reopenDrift, returnedPathsOfDrift } from '../drift/drifts.ts'
import { driftsOfPaths, findDriftRow } from '../store/drifts.ts'
import { createHistoryReader, inReadingOrder } from '../store/history-reader.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { RestoreRow } from '../store/restores.ts'
import type { Writable } from '../store/sql.ts'

/** `row` has ended as `state` and wrote the `touched` paths. */
export function updateDrifts(
  tx: Writable<Store>,
  row: RestoreRow,
  state: RestoreState,
  touched: readonly PathId[]
): void {
  if (row.act === 'drift' && row.whole === 1 && state === 'done') closeDrift(tx, row.target, 'put-back')
  for (const [id, paths] of driftsOfPaths(tx, touched)) updateDrift(tx, row, id, paths)
}

/** `paths`: those of the drift that the restore wrote. */
function updateDrift(tx: Writable<Store>, row: RestoreRow, drift: string, paths: readonly PathId[]): void {
  const before = findDriftRow(tx, drift)?.state
  if (before === 'accepted' && !(row.act === 'drift' && row.target === drift)) return
  const own = editsOfTarget(tx, drift)
  const ordered = inReadingOrder(paths)
  const reader = createHistoryReader(tx, ordered)
  const nameOf = (path: PathId): string => reader.records.headById(path).path
  const returned = new Set(returnedPathsOfDrift(tx, drift, ordered))
  const isUndone = (path: PathId): boolean => returned.has(path) || findUndoOfPath(reader, own, path) !== null
  if (before === 'put-back') {
    const again = ordered.filter((path) => !isUndone(path))
    reopenDrift(tx, drift, again)
  } else {
    closeDrift(tx, drift, 'put-back', ordered.filter(isUndone).map(nameOf))
  }
}
