/** Keeps the column `taken_back` of a run: whether all of its edits are undone. Without it the timeline would have to walk edit chains. */
import { editsInForce } from '../log/chain.ts'
import { editsOfRun, runsOfPath } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { setRunUndone } from '../store/runs.ts'
import type { Writable } from '../store/sql.ts'

/**
 * Recomputes it for every run with an edit of one of `paths`. Only restores change it, because all other edits build on the
 * ones before. Call after the edits of a restore were appended.
 */
export function refreshUndone(tx: Writable<Store>, paths: Iterable<PathId>): void {
  const runs = new Set([...paths].flatMap((path) => runsOfPath(tx, path)))
  for (const run of runs) setRunUndone(tx, run, !hasEditInForce(tx, run))
}

function hasEditInForce(store: Store, run: string): boolean {
  const { records } = store
  const own = new Set(editsOfRun(store, run))
  const paths = new Set([...own].map((seq) => records.edit(seq).path))
  for (const path of paths) {
    if (editsInForce(records.headById(path).edit, records).some((edit) => own.has(edit.seq))) return true
  }
  return false
}
