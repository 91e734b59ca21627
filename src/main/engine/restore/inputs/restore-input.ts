/** The input of a restore to a position: what each path that changed since returns to, and by which name. */
import type { Seq } from '../../../../contract/log.ts'
import type { PlanWarning } from '../../../../contract/restore.ts'
import { mergeWithout, readWithoutRoundTrips } from '../../diff/provenance.ts'
import { editsInForce, walkChain } from '../../log/chain.ts'
import { isProvablySame } from '../../log/same-version.ts'
import { type EditRow, pathsEditedAfter } from '../../store/edits.ts'
import { createHistoryReader, inReadingOrder } from '../../store/history-reader.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head, PathId } from '../../store/paths.ts'
import { nameOf, resolveTarget } from '../../store/targets.ts'
import { versionAt } from '../../store/version-at.ts'
import type { StoredVersion } from '../../store/versions.ts'
import { titlesOfRunsAfter } from '../../store/writers.ts'
import type { MoveBack } from '../plan-items.ts'
import type { KindInput, RequestedPath, RequestOf } from './request-input.ts'
import { type DepartureOf, departuresOfRestores } from './restore-moves.ts'
import { isSelected, maybeSelected } from './selected-hunks.ts'

/** Restoring to a position: every path that changed after it returns to its version there. */
export function restoreInput(source: Store, request: RequestOf<'restore'>): KindInput {
  const target = resolveTarget(source, request.target)
  const edited = inReadingOrder(maybeSelected(source, request, pathsEditedAfter(source, target.seq)))
  const store = createHistoryReader(source, edited)
  const position = {
    seq: target.seq,
    departureOf: departuresOfRestores(store),
    returned: readWithoutRoundTrips(store, ({ seq }) => seq <= target.seq)
  }
  const inputs = edited.flatMap((id) => {
    const input = restorePath(store, request, id, position)
    return input ? [{ id, input }] : []
  })
  return {
    paths: inputs.map(({ input }) => input),
    defaultResolution: request.outside === 'replace' ? 'replace' : 'keep',
    title: target.title,
    target: nameOf(target),
    targetAt: target.at,
    toSeq: target.seq,
    warnings: runWarnings(store, target.seq, request.paths ? inputs.map(({ id }) => id) : null)
  }
}

interface Position {
  readonly seq: Seq
  readonly departureOf: DepartureOf
  /** [RS-24] The history without round trips since the position. */
  readonly returned: Store
}

/** [RS-14] Outside edits after the position are foreign. Null for a path that is not selected. */
function restorePath(
  store: Store,
  request: RequestOf<'restore'>,
  path: PathId,
  { seq, departureOf, returned }: Position
): RequestedPath | null {
  const { records } = store
  const head = records.headById(path)
  if (head.version === null) return null
  const steps = [...walkChain(head.edit, returned.records)]
  const move = moveBack(store, head, seq, departureOf)
  if (!isSelected(request, head.path) && !(move && isSelected(request, move.back.to))) return null
  const chain = steps.flatMap(({ edit, omitted }) => (edit.origin === 'restore' || omitted ? [] : [edit]))
  const since = chain.filter((edit) => edit.seq > seq)
  const outside = since.filter((edit) => edit.origin === 'outside')
  const own = since.filter((edit) => edit.origin !== 'outside')
  const then = versionAtSeq(store, move ? move.from : path, seq)
  // Omitting the later edits gives the target only if the rest of the chain is what was in force at the position.
  const buildsOnTarget = (): boolean => haveSameSeqs(chain.slice(since.length), editsInForce(then.base, records))
  // With a move of a person in between, the file has one name or the other: there is nothing to merge.
  const isMergeable = outside.length > 0 && own.length > 0 && outside.every(({ movedFrom }) => movedFrom === null)
  return {
    path: head.path,
    now: records.version(head.version),
    target: then.version,
    base: then.base,
    foreign: outside.map((edit) => ({ who: 'outside', title: '', at: edit.at })),
    foreignCause: 'outside-after-target',
    merge: isMergeable && buildsOnTarget() ? mergeWithout(store, head, own, outside) : null,
    own: own[0] ? records.version(own[0].after) : null,
    onlyByMerge: false,
    move: move?.back ?? null
  }
}

/** What a path was at a position, and the edit that made it. */
function versionAtSeq({ records }: Store, path: PathId, seq: Seq): { version: StoredVersion; base: number } {
  const next = records.editAfter(path, seq)
  const version = next?.before ?? records.headById(path).version ?? records.absent
  return { version: records.version(version), base: records.editBefore(path, seq + 1)?.seq ?? 0 }
}

/**
 * [RS-20] The move to the name that the file had at the position; null if it has that or began later, and if the name
 * already holds what it held.
 */
function moveBack(
  store: Store,
  head: Head,
  seq: Seq,
  departureOf: DepartureOf
): { from: PathId; back: MoveBack } | null {
  const { records } = store
  let from = head.id
  for (let at = head.edit; at > seq; ) {
    const edit = records.edit(at)
    const departure = edit.movedFrom === null ? departureOf(edit) : records.edit(edit.movedFrom)
    // A restore gave the path an earlier version, not this file an earlier name.
    if (!departure && ((edit.origin === 'restore' && !edit.merge) || isBeginning(store, edit))) return null
    from = departure?.path ?? from
    at = records.editBefore(from, departure?.seq ?? at)?.seq ?? 0
  }
  // Where a folder was, the file is younger than the position: it had no name there.
  if (from === head.id || versionAtSeq(store, from, seq).version.kind === 'dir') return null
  const to = records.headById(from).path
  const nowThere = versionAt(store, to, null)
  if (isProvablySame(nowThere, versionAtSeq(store, from, seq).version)) return null
  return { from, back: { to, nowThere, left: versionAtSeq(store, head.id, seq) } }
}

/** Whether a file began with an edit that is no arrival: the name was free, a folder, or that of a file that moved away. */
function isBeginning({ records }: Store, edit: EditRow): boolean {
  return ['absent', 'dir'].includes(records.version(edit.before).kind) || records.arrivalOf(edit.seq) !== null
}

function haveSameSeqs(a: readonly EditRow[], b: readonly EditRow[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit.seq === b[i]?.seq)
}

/** Runs named in the warning. */
const MOST_RUNS = 3

/** [RS-14] Names the runs whose edits a restore to `seq` undoes, when there are several. `paths`: null for all. */
function runWarnings(store: Store, seq: Seq, paths: readonly PathId[] | null): PlanWarning[] {
  const titles = titlesOfRunsAfter(store, seq, paths)
  return titles.length < 2 ? [] : [{ code: 'undoes-runs', titles: titles.slice(0, MOST_RUNS), count: titles.length }]
}
