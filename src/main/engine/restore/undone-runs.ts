/**
 * Keeps the column `taken_back` of runs: whether all of a run's edits are undone. Without it the timeline would have to
 * walk edit chains. Only restores change it, because all other edits build on the ones before.
 */
import { chainDifference, currentPaths, editsInForce } from '../log/chain.ts'
import {
  countEdits,
  countEditsOfRun,
  firstEditOfRuns,
  pathsOfRun,
  runsOfEdits,
  runsOfPaths
} from '../store/edit-calls.ts'
import { originsOf } from '../store/edits.ts'
import { createHistoryReader, inReadingOrder } from '../store/history-reader.ts'
import type { Store } from '../store/open-store.ts'
import { type ChainLink, linkOf, linksOfRestore, passedLinks, type RestoreLink } from '../store/passed-edits.ts'
import type { PathId } from '../store/paths.ts'
import { setRunUndone } from '../store/runs.ts'
import type { Writable } from '../store/sql.ts'

/** Of all runs with an edit that a restore undid or returned. Call after its edits were appended. */
export function refreshUndone(tx: Writable<Store>, restore: string): void {
  const { left, doubtful, branched } = changesOf(tx, restore)
  const touched = withOrigins(tx, branched)
  const isDoubtful = new Set([...doubtful, ...runsOfPaths(tx, [...touched])])
  for (const [run, count] of left)
    if (isDoubtful.has(run) || countEditsOfRun(tx, run) > count) isDoubtful.add(run)
    else setRunUndone(tx, run, true)
  const undone = withoutInForce(tx, isDoubtful, touched)
  for (const run of isDoubtful) {
    const elsewhere = undone.has(run) ? pathsOfRun(tx, run).filter((path) => !touched.has(path)) : []
    setRunUndone(tx, run, undone.has(run) && withoutInForce(tx, [run], elsewhere).size > 0)
  }
}

/** What a restore changed in the chains of its paths. */
interface Changes {
  /** Of each run, how many of its edits are in force no longer. */
  readonly left: ReadonlyMap<string, number>
  /** Runs with edits that came back, or that may be in force elsewhere. */
  readonly doubtful: ReadonlySet<string>
  /** Paths of which the chains that differ moved or merged something. */
  readonly branched: readonly PathId[]
}

/** Paths whose edits are held at a time. */
const GROUP = 256

function changesOf(store: Store, restore: string): Changes {
  const left = new Map<string, number>()
  const doubtful = new Set<string>()
  const branched = new Set<PathId>()
  const links = linksOfRestore(store, restore)
  for (let at = 0; at < links.length; at += GROUP) {
    const group = links.slice(at, at + GROUP)
    const passed = passedLinks(store, group)
    const leftSeqs: number[] = []
    const doubtfulSeqs: number[] = []
    for (const link of group) {
      const changed = passed.branched.has(link.seq) ? null : changedEdits(store, link, passed.links)
      if (changed === null) branched.add(link.path)
      for (const { edit, left } of changed ?? []) {
        if (edit.isRestore) continue
        // What was moved away from below the passed edits may be in force elsewhere.
        const isLeft = left && passed.links.has(edit.seq)
        ;(isLeft ? leftSeqs : doubtfulSeqs).push(edit.seq)
      }
    }
    for (const [run, count] of countEdits(store, leftSeqs)) left.set(run, (left.get(run) ?? 0) + count)
    for (const run of runsOfEdits(store, doubtfulSeqs)) doubtful.add(run)
  }
  return { left, doubtful, branched: [...branched] }
}

/** The edits that a restore's edit brought into force, or out of it (`left`); null if one of them moved or merged something. */
function changedEdits(store: Store, link: RestoreLink, passed: ReadonlyMap<number, ChainLink>) {
  return chainDifference<ChainLink>(link.previous, link.seq, (seq) => {
    const each = seq === link.seq ? link : (passed.get(seq) ?? linkOf(store, seq))
    return each.isBranch ? null : each
  })
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

/** Those of the runs that have no edit in force on the paths, nor where content of these was moved to. */
function withoutInForce(store: Store, runs: Iterable<string>, paths: Iterable<PathId>): Set<string> {
  const left = new Set(runs)
  const ordered = inReadingOrder(paths)
  if (left.size === 0 || ordered.length === 0) return left
  const since = firstEditOfRuns(store, [...left])
  const { records } = createHistoryReader(store, ordered, since)
  for (let at = 0; at < ordered.length && left.size > 0; at += GROUP) {
    const inForce = [...currentPaths(ordered.slice(at, at + GROUP), records)].flatMap((path) =>
      editsInForce(records.headById(path).edit, records, since).map(({ seq }) => seq)
    )
    for (const run of runsOfEdits(store, inForce)) left.delete(run)
  }
  return left
}
