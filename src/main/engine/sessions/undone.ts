/** Which runs nothing is left of, kept beside the run so that the timeline need not walk chains. */
import { editsInForce } from '../log/chain.ts'
import type { PathId } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import { editsOfRun } from './runs.ts'

/**
 * Works out anew, for every run with an Edit on `paths`, whether any Edit of it is still in force. Only restores change
 * that: later Edits stand on earlier ones. Call inside a restore's transaction, after its Edits are appended.
 */
export function refreshUndone(store: Store, paths: Iterable<PathId>): void {
  const runsOn = store.db.prepare(
    'SELECT DISTINCT c.run FROM edit e JOIN edit_call c ON c.edit = e.seq WHERE e.path = ?'
  )
  const runs = new Set<string>()
  for (const path of paths) for (const { run } of runsOn.all(path) as { run: string }[]) runs.add(run)
  const set = store.db.prepare('UPDATE run SET taken_back = ? WHERE id = ?')
  for (const run of runs) set.run(hasEditInForce(store, run) ? 0 : 1, run)
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
