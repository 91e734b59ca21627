/**
 * [LG-7] Records which appended edits are renames: the edit that created the new name, the arrival, names the edit by
 * which the old name lost the content, the departure. In the transaction that appends the second of the two.
 *
 * Evidence, best first: the same file (inode number) with the same bytes; the same bytes; the same file with a similar
 * text; a similar text. A path that is replaced counts only as the same file, as in a swap or a rotation of logs.
 */
import type { AppendedEdit } from '../capture/append.ts'
import { comparePaths } from '../diff/aggregate.ts'
import { findRenames, type RenameSide, similarityIn } from '../diff/renames.ts'
import { runsOfEdit } from '../store/edit-calls.ts'
import { type EditRow, recentUnpaired } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'

interface Candidate extends RenameSide {
  readonly edit: EditRow
}

/** Texts compared per transaction: recording must not take long where many files come and go. */
const MOST_COMPARED = 200
/** Edits recorded this long before count as the same change, ms. */
const SAME_CHANGE_MS = 2000

/** `since`: the first edit of this check. `at`: when `appended` were recorded, ms UTC. */
export function recordRenames(
  tx: Writable<Store>,
  appended: readonly AppendedEdit[],
  { since, at }: { readonly since: number; readonly at: number }
): void {
  const candidates = findCandidates(tx, appended, { since, at: at - SAME_CHANGE_MS, to: appended[0]?.seq ?? 0 })
  const similarity = similarityIn(tx)
  let compared = 0
  for (const sides of Map.groupBy(candidates, ({ edit }) => authorOf(tx, edit)).values()) {
    const pairs = findRenames(
      sides.sort((a, b) => comparePaths(a.path, b.path)),
      (from, to) => (compared++ < MOST_COMPARED ? similarity(from, to) : 0)
    )
    for (const [arrival, departure] of pairs)
      if (isOlder(tx, departure.edit, arrival.edit)) tx.records.setMovedFrom(arrival.edit.seq, departure.edit.seq)
  }
}

/** Whoever made one side made the other. */
function authorOf(store: Store, { seq, origin }: EditRow): string {
  return [origin, ...runsOfEdit(store, seq)].join(' ')
}

/** What the old name held is older than the arrival, so that a chain of edits always leads to older ones. */
function isOlder({ records }: Store, departure: EditRow, arrival: EditRow): boolean {
  return (records.editBefore(departure.path, departure.seq)?.seq ?? 0) < arrival.seq
}

/** The edits that may be sides of renames. Reads little where nothing was created, deleted or replaced. */
function findCandidates(
  store: Store,
  appended: readonly AppendedEdit[],
  recent: Parameters<typeof recentUnpaired>[2]
): Candidate[] {
  const created = appended.filter(({ change }) => change === 'created')
  const deleted = appended.filter(({ change }) => change === 'deleted')
  const replaced = findReplaced(appended)
  const paths = new Set(appended.map(({ path }) => path))
  const earlier = [
    ...(created.length > 0 ? recentUnpaired(store, 'deleted', recent) : []),
    ...(deleted.length > 0 ? recentUnpaired(store, 'created', recent) : [])
  ]
    .map((edit) => toSide(store, edit, null))
    .filter(({ path }) => !paths.has(path))
  const isOneSided = created.length === 0 || deleted.length === 0
  if (isOneSided && replaced.length === 0 && earlier.length === 0) return []
  return [
    ...[...created, ...deleted, ...replaced].map((edit) => toSide(store, store.records.edit(edit.seq), edit)),
    ...earlier
  ]
}

/** Paths that hold the file of another path now, which is gone or replaced itself; and those other paths. */
function findReplaced(appended: readonly AppendedEdit[]): AppendedEdit[] {
  const others = appended.filter(({ change }) => change === 'other')
  if (others.length === 0) return []
  const lost = new Map(appended.map((edit) => [edit.inoBefore, edit]))
  const found = new Set<AppendedEdit>()
  for (const edit of appended) {
    const from = edit.inoAfter === null ? undefined : lost.get(edit.inoAfter)
    if (!from || from === edit) continue
    for (const side of [edit, from]) if (side.change === 'other') found.add(side)
  }
  return [...found]
}

function toSide(store: Store, edit: EditRow, appended: AppendedEdit | null): Candidate {
  const { records } = store
  const { path, signature } = records.headById(edit.path)
  return {
    edit,
    path,
    before: records.version(edit.before),
    after: records.version(edit.after),
    inoBefore: appended?.inoBefore ?? null,
    inoAfter: appended ? appended.inoAfter : (signature?.ino ?? null)
  }
}
