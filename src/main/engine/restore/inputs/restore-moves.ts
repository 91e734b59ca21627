/**
 * [RS-20] The moves of restores that returned a file to an earlier version. Its two edits are pointers, each to an edit of
 * its own path (`log/chain.ts`), so the log does not link them as it links a rename: the restore's items do.
 */
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import { movesOfRestore } from '../../store/restore-items.ts'

/** The edit by which another path lost the content that this edit received; null if the edit moved nothing. */
export type DepartureOf = (arrival: EditRow) => EditRow | null

/** Reads the items of each restore once. O(edits of the other path). */
export function departuresOfRestores(store: Store): DepartureOf {
  const { records } = store
  const known = new Map<string, ReadonlyMap<string, string>>()
  const movesOf = (restore: string): ReadonlyMap<string, string> => {
    const moves = known.get(restore) ?? movesOfRestore(store, restore)
    known.set(restore, moves)
    return moves
  }
  return ({ path, origin, restore, merge }) => {
    if (origin !== 'restore' || restore === null || merge) return null
    const from = movesOf(restore).get(records.headById(path).path)
    const head = from === undefined ? null : records.head(from)
    // A restore that was interrupted and finished may have several edits of a path: the content left by the oldest.
    return (head && records.editsOf(head.id).findLast((edit) => edit.restore === restore)) ?? null
  }
}
