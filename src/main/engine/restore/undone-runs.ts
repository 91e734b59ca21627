/**
 * Keeps the column `taken_back` of runs: whether all of a run's edits are undone. Without it the timeline would have to
 * walk edit chains. Only restores change it, because all other edits build on the ones before.
 */
import { currentPaths, editsInForce } from '../log/chain.ts'
import { pathsOfRun, runsOfEdits, runsOfPaths } from '../store/edit-calls.ts'
import { originsOf } from '../store/edits.ts'
import { createHistoryReader, inReadingOrder } from '../store/history-reader.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { setRunUndone } from '../store/runs.ts'
import type { Writable } from '../store/sql.ts'

/** Of all runs with an edit of one of `paths`. Call after the edits of a restore were appended. */
export function refreshUndone(tx: Writable<Store>, paths: readonly PathId[]): void {
  const touched = withOrigins(tx, paths)
  const runs = runsOfPaths(tx, [...touched])
  const undone = withoutInForce(tx, runs, touched)
  for (const run of undone) {
    const elsewhere = pathsOfRun(tx, run).filter((path) => !touched.has(path))
    if (withoutInForce(tx, [run], elsewhere).size === 0) undone.delete(run)
  }
  for (const run of runs) setRunUndone(tx, run, undone.has(run))
}

/** [LG-7] The paths, and those from which their content was ever moved. */
function withOrigins(store: Store, paths: readonly PathId[]): Set<PathId> {
  const found = new Set(paths)
  for (let added = paths; added.length > 0; ) {
    added = originsOf(store, added).filter((origin) => !found.has(origin))
    for (const origin of added) found.add(origin)
  }
  return found
}

/** Paths whose edits in force are held at a time. */
const GROUP = 256

/** Those of the runs that have no edit in force on the paths, nor where content of these was moved to. */
function withoutInForce(store: Store, runs: readonly string[], paths: Iterable<PathId>): Set<string> {
  const left = new Set(runs)
  const ordered = inReadingOrder(paths)
  const { records } = createHistoryReader(store, ordered)
  for (let at = 0; at < ordered.length && left.size > 0; at += GROUP) {
    const inForce = [...currentPaths(ordered.slice(at, at + GROUP), records)].flatMap((path) =>
      editsInForce(records.headById(path).edit, records).map(({ seq }) => seq)
    )
    for (const run of runsOfEdits(store, inForce)) left.delete(run)
  }
  return left
}
