/**
 * Edits in force: pure walks over one path's Edits. `base` is the Edit an Edit stands on; a `restore` Edit is no layer of
 * its own but a pointer to the Edit it returns to (0 = the baseline), so undoing and redoing never changes who wrote what.
 */

/** What the walk needs of an Edit. */
export interface LogEdit {
  readonly seq: number
  readonly path: number
  readonly origin: 'agent' | 'outside' | 'restore'
  readonly base: number
  /** Edits a merge left out, restores too: they are in force no more, though later ones stand on them. */
  readonly leaves?: readonly number[]
}

/** The part of a log these walks read. */
export interface EditLog<E extends LogEdit> {
  edit(seq: number): E
  /** The Edit of a path before `seq`, whatever that stands on; null without one. */
  editBefore(path: number, seq: number): E | null
}

export interface Visited<E extends LogEdit> {
  readonly edit: E
  /** A merge above it left all of it out. */
  readonly left: boolean
}

/**
 * Every Edit on the way from `head` back, newest first. A restore leads to where it points; one that a merge left out, or that
 * `isLayer`, is a layer like any other: it lies on the Edit before it, and what a merge of its own left out is not.
 */
export function* walkBack<E extends LogEdit>(
  head: number,
  log: EditLog<E>,
  isLayer: (edit: E) => boolean = () => false
): Generator<Visited<E>> {
  const out = new Set<number>()
  for (let seq = head; seq !== 0; ) {
    const edit = log.edit(seq)
    const left = out.has(seq)
    const layer = left || isLayer(edit)
    if (!layer) for (const one of edit.leaves ?? []) out.add(one)
    yield { edit, left }
    seq = layer && edit.origin === 'restore' ? (log.editBefore(edit.path, edit.seq)?.seq ?? 0) : edit.base
  }
}

/** The Edits that made the present state of a path, newest first. `head` 0 = none. */
export function editsInForce<E extends LogEdit>(head: number, log: EditLog<E>): E[] {
  return [...walkBack(head, log)].filter(({ edit, left }) => edit.origin !== 'restore' && !left).map(({ edit }) => edit)
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
  log: EditLog<E>,
  mine: (edit: E) => boolean
): TakeBack<E> {
  const found: E[] = []
  let above: E[] = []
  let foreign: E[] = []
  let mergeAbove = false
  let merged = false
  for (const { edit, left } of walkBack(head, log)) {
    if (mine(edit) && !left) {
      found.push(edit)
      foreign = above
      merged = mergeAbove
      // What a restore replaced is found through the raw log, not through its pointer: it has one Edit a path.
      if (edit.origin === 'restore') break
    } else if (edit.origin !== 'restore' && !left) above = [...above, edit]
    if (!left && edit.leaves && edit.leaves.length > 0) mergeAbove = true
  }
  const first = found.at(-1)
  return first ? { state: 'in-force', first, mine: found, foreign, merged } : { state: 'not-in-force' }
}
