/**
 * Edits in force: pure walks over one path's Edits. `base` is the Edit an Edit stands on; a `restore` Edit is no layer of
 * its own but a pointer to the Edit it returns to (0 = the baseline), so undoing and redoing never changes who wrote what.
 */

/** What the walk needs of an Edit. */
export interface LogEdit {
  readonly seq: number
  readonly origin: 'agent' | 'outside' | 'restore'
  readonly base: number
  /** Edits a merge left out: they are in force no more, though later ones stand on them. */
  readonly leaves?: readonly number[]
}

export type EditLookup<E extends LogEdit> = (seq: number) => E

/** The Edits that made the present state of a path, newest first. `head` 0 = none. */
export function editsInForce<E extends LogEdit>(head: number, lookup: EditLookup<E>): E[] {
  const chain: E[] = []
  const out = new Set<number>()
  for (let seq = head; seq !== 0; ) {
    const edit = lookup(seq)
    for (const left of edit.leaves ?? []) out.add(left)
    if (edit.origin !== 'restore' && !out.has(seq)) chain.push(edit)
    seq = edit.base
  }
  return chain
}

export type TakeBack<E extends LogEdit> =
  /** None of the Edits is in force on this path: nothing to take back. */
  | { readonly state: 'not-in-force' }
  /** `first` is the deepest of them; the path goes back to before it. `foreign` lie above it, newest first: a conflict unless empty. `merged`: a merge lies above, so only leaving `mine` out gives the right text. */
  | {
      readonly state: 'in-force'
      readonly first: E
      readonly mine: readonly E[]
      readonly foreign: readonly E[]
      readonly merged: boolean
    }

/**
 * [RS-10] [RS-13] Which Edits lie on those to be taken back. `mine` says whether an Edit is to be taken back; Edits of a
 * restore count as layers only when they are themselves taken back.
 */
export function findTakeBack<E extends LogEdit>(
  head: number,
  lookup: EditLookup<E>,
  mine: (edit: E) => boolean
): TakeBack<E> {
  const found: E[] = []
  const out = new Set<number>()
  let above: E[] = []
  let foreign: E[] = []
  let mergeAbove = false
  let merged = false
  for (let seq = head; seq !== 0; ) {
    const edit = lookup(seq)
    if (mine(edit) && !out.has(seq)) {
      found.push(edit)
      foreign = above
      merged = mergeAbove
      // What a restore replaced is found through the raw log, not through its pointer: it has one Edit a path.
      if (edit.origin === 'restore') break
    } else if (edit.origin !== 'restore' && !out.has(seq)) above = [...above, edit]
    if (edit.leaves && edit.leaves.length > 0) mergeAbove = true
    for (const left of edit.leaves ?? []) out.add(left)
    seq = edit.base
  }
  const first = found.at(-1)
  return first ? { state: 'in-force', first, mine: found, foreign, merged } : { state: 'not-in-force' }
}
