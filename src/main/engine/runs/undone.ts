/** Keeps the column `taken_back` of a run: whether all of its edits are undone. Without it the timeline would have to walk edit chains. */
import { editsInForce } from '../log/chain.ts'
import type { PathId } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import { editsOfRun } from '../store/runs.ts'

/**
 * Recomputes it for every run with an edit of one of `paths`. Only restores change it, because all other edits build on the
 * ones before. Call inside a restore's transaction, after its edits were appended.
 */
export function refreshUndone(store: Store, paths: Iterable<PathId>): void {
  const runsOfPath = store.db.prepare(
    'SELECT DISTINCT c.run FROM edit e JOIN edit_call c ON c.edit = e.seq WHERE e.path = ?'
  )
  const runs = new Set<string>()
  for (const path of paths) for (const { run } of runsOfPath.all(path) as { run: string }[]) runs.add(run)
  const update = store.db.prepare('UPDATE run SET taken_back = ? WHERE id = ?')
  for (const run of runs) update.run(hasEditInForce(store, run) ? 0 : 1, run)
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
