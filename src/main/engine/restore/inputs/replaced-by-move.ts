/**
 * [RS-20] Contents that no chain of edits leads to any more, because the undone edits moved a file to their name, and that
 * file was moved on or replaced by another one since.
 */
import { currentPathOf } from '../../log/chain.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { StoredVersion } from '../../store/versions.ts'

interface Replaced {
  readonly version: StoredVersion
  /** The edit that made it. */
  readonly base: number
  /** The version that replaced it. */
  readonly by: StoredVersion
  /** Edits since the moved file left the name, newest first. */
  readonly since: readonly EditRow[]
}

/**
 * What a name held before the edits `seqs` moved a file to it that has left it by the edit `from`, or an earlier one of that
 * name; null if there is none.
 */
export function replacedByMove({ records }: Store, seqs: ReadonlySet<number>, from: number): Replaced | null {
  const since: EditRow[] = []
  let hasLeft = false
  for (let seq = from; seq !== 0; ) {
    const edit = records.edit(seq)
    hasLeft ||= records.arrivalOf(seq) !== null
    if (edit.movedFrom !== null) return hasLeft && seqs.has(seq) ? beforeOwn(records, seqs, edit, since) : null
    if (!hasLeft) since.push(edit)
    seq = edit.base < seq ? edit.base : 0
  }
  return null
}

/** What was there before `arrival` and the edits of `seqs` below it; null if there was nothing, or it is elsewhere now. */
function beforeOwn(
  records: Store['records'],
  seqs: ReadonlySet<number>,
  arrival: EditRow,
  since: readonly EditRow[]
): Replaced | null {
  let deepest = arrival
  for (;;) {
    if (currentPathOf(deepest, records) !== null) return null
    const below = records.editBefore(deepest.path, deepest.seq)
    if (!below || !seqs.has(below.seq)) break
    deepest = below
  }
  const version = records.version(deepest.before)
  return version.kind === 'absent' ? null : { version, base: deepest.base, by: records.version(arrival.after), since }
}
