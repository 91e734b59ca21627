/**
 * Edit chains: which edits of a path are in force, and which of them an undo has to remove. Pure; no I/O.
 *
 * The log is append-only. A restore therefore never deletes edits; it appends one of its own, and each edit names the
 * edit it builds on (`base`, 0 = the initial snapshot). Following `base` from a path's head visits its edit chain:
 *
 *     seq  origin   base  content        chain of head 5:  5 -> 4 -> 1 -> 0
 *      1   agent     0    A              in force:         5, 1
 *      2   agent     1    A B
 *      3   outside   2    A B C
 *      4   restore   1    A              (a pointer: it returns to 1, so 2 and 3 are out of force)
 *      5   agent     4    A D
 *
 * A restore's edit is of one of two kinds:
 * - a pointer: `base` is the edit it returns to. It adds no content, so undo and redo never change who wrote what.
 *   Undoing 4 appends a pointer to 3, the edit before 4 in the log, and 2 and 3 are in force again.
 * - a merge: `base` is the edit before it, and `omits` names the edits it removed from the middle of the chain. Later
 *   edits stay in force although their recorded content was made on top of the omitted ones.
 *
 * A chain follows renames [LG-7]. The edit that created the new name, its arrival, names the edit by which the old name
 * lost the content, its departure, and the chain continues with what the old name had before that:
 *
 *     seq  path     origin   moved from  content     chain of new.txt:  7 -> 5 -> 0
 *      5   old.txt  agent                A           chain of old.txt:  empty; its content is at new.txt
 *      6   old.txt  agent                absent
 *      7   new.txt  agent    6           A
 *
 * Rules of docs/rules.md that the walks rely on:
 * - [LG-1] seq strictly increases, and `base` < `seq`: a walk always ends, after at most one step per edit of the path.
 * - [LG-2] an edit's `before` is the previous `after` of its path, so an undo can restore the `before` of an edit.
 * - [LG-3] the version at n followed by edits n+1..m gives the version at m: a position is only a number.
 * - [LG-4] a run's diff (`diff/aggregate.ts`) composes the edits of one chain into one change per path.
 * - [LG-5] `before` is "absent" only if that is known; otherwise it is "unknown" and never a target
 *   (`same-version.ts`).
 * - [LG-6] every edit was verified against the disk when it was appended (`capture/append.ts`), so the chain needs no
 *   I/O.
 */
import { DriftlineError } from '../../../contract/errors.ts'

/** The fields of an edit that the walks read. */
interface LogEdit {
  readonly seq: number
  /** Row id of the path. */
  readonly path: number
  readonly origin: 'agent' | 'outside' | 'restore'
  /** The edit this one builds on or, for a restore's pointer, returns to; 0 = the initial snapshot. */
  readonly base: number
  /** Row id of the version that it made. */
  readonly after: number
  /** Of a merge: the edits, also those of restores, that it removed completely. Later edits still build on them. */
  readonly omits?: readonly number[]
  /** Of a merge: the oldest edit of which it removed something, if only some lines. */
  readonly omitsSince?: number | null
  /** Of an arrival: its departure. */
  readonly movedFrom: number | null
}

/** Random access to a log. One lookup per call. */
interface EditLog<E extends LogEdit> {
  /** Row id of the version of a path that does not exist. */
  readonly absent: number
  edit(seq: number): E
  /** The previous edit of a path in the log, whether in force or not; null when there is none. */
  editBefore(path: number, seq: number): E | null
  /** The arrival that names this edit as its departure; null when there is none. */
  arrivalOf(seq: number): E | null
  /** The departures from a path, oldest first. */
  departuresFrom(path: number): readonly E[]
  /** The newest edit of a path; 0 = the initial snapshot. */
  headOf(path: number): number
}

interface ChainStep<E extends LogEdit> {
  readonly edit: E
  /** A later merge removed this edit completely: it is on the chain, but not in force. */
  readonly omitted: boolean
}

/**
 * Walks a path's chain from `head` (0 = no edits) to `since`, newest first.
 *
 * A restore's pointer is followed to the edit it returns to, which skips everything it undid. There are two exceptions,
 * in which a restore counts as a layer, an ordinary edit that replaced the content before it: when a later merge
 * omitted (undid) it, and when `isLayer` asks for it because it is to be undone itself. Its predecessor is then the
 * previous edit in the log instead of `base`, and its own `omits` have no effect, since undoing a merge restores what
 * it removed.
 *
 * [LG-7] An arrival is followed to what the old name had before the departure. A departure ends the chain: what lies below
 * is part of the chain of another path, or was undone there. It is not even passed itself if it left nothing behind: the
 * two edits of a move are in force together, with the arrival.
 *
 * Newest first matters: a merge is visited before the edits it omits.
 */
export function* walkChain<E extends LogEdit>(
  head: number,
  log: EditLog<E>,
  isLayer: (edit: E) => boolean = () => false,
  since = 1
): Generator<ChainStep<E>> {
  const omits = new Set<number>()
  for (let seq = head; seq >= since; ) {
    const edit = log.edit(seq)
    if (edit.after === log.absent && hasMovedAway(edit, log)) return
    const omitted = omits.has(seq)
    const layer = omitted || isLayer(edit)
    if (!layer) for (const omit of edit.omits ?? []) omits.add(omit)
    yield { edit, omitted }
    seq = seqBelow(edit, log, layer)
  }
}

/**
 * [RS-10] As `walkChain`, and then what the path was before a file was moved there: deletions stay in force when another
 * file takes the name, and when it is moved on. Only edits from `since` on.
 */
export function* walkWithCovered<E extends LogEdit>(head: number, log: EditLog<E>, since = 1): Generator<ChainStep<E>> {
  for (let at = head; at >= since; at = belowMove(at, log, since).covered?.seq ?? 0)
    yield* walkChain(at, log, undefined, since)
}

/**
 * The newest move of a file to the path, as far as no restore returned to before it: the edits down to it, newest first,
 * and the edit below by which the path was free; null if there is none from `since` on.
 */
function belowMove<E extends LogEdit>(head: number, log: EditLog<E>, since = 1): { above: E[]; covered: E | null } {
  const above: E[] = []
  for (let seq = head; seq >= since; ) {
    const edit = log.edit(seq)
    above.push(edit)
    const below = edit.base < seq && edit.base !== 0 ? log.edit(edit.base) : null
    if (edit.movedFrom !== null) return { above, covered: below?.after === log.absent ? below : null }
    seq = below?.seq ?? 0
  }
  return { above, covered: null }
}

function hasMovedAway<E extends LogEdit>(edit: E, log: EditLog<E>): boolean {
  // What a restore moved and another returned to its place was left by the first of them alone.
  return edit.origin === 'restore' ? currentPathOf(edit, log) !== null : log.arrivalOf(edit.seq) !== null
}

/**
 * The next edit down the chain, 0 = the initial snapshot. `layer`: a restore counts as an ordinary edit. Throws
 * StoreDamaged unless it is earlier: else a walk would never end.
 */
function seqBelow<E extends LogEdit>(edit: E, log: EditLog<E>, layer: boolean): number {
  return requireEarlier(edit, linkBelow(edit, log, layer))
}

function requireEarlier(edit: Pick<LogEdit, 'seq'>, below: number): number {
  if (below < edit.seq) return below
  throw new DriftlineError(
    'StoreDamaged',
    `The history is damaged: edit ${edit.seq} builds on edit ${below}, which is not before it. Your files were not changed. Run "driftline doctor" for a list.`,
    { edit: edit.seq }
  )
}

function linkBelow<E extends LogEdit>(edit: E, log: EditLog<E>, layer: boolean): number {
  if (edit.movedFrom !== null) {
    const departure = log.edit(edit.movedFrom)
    return log.editBefore(departure.path, departure.seq)?.seq ?? 0
  }
  if (edit.origin !== 'restore' && log.arrivalOf(edit.seq)) return 0
  return layer && edit.origin === 'restore' ? (log.editBefore(edit.path, edit.seq)?.seq ?? 0) : edit.base
}

/**
 * [LG-7] Where the content is now that an edit took away from its path, also after further moves; null if the edit is no
 * departure, or its arrival is not in force any more, as after a restore.
 */
export function currentPathOf<E extends LogEdit>(departure: E, log: EditLog<E>): number | null {
  const arrival = log.arrivalOf(departure.seq)
  if (!arrival) return null
  // The set grows while it is walked.
  const paths = new Set([arrival.path])
  for (const path of paths) {
    if (isOnChain(log.headOf(path), arrival.seq, log)) return path
    for (const next of log.departuresFrom(path)) {
      const further = next.seq > arrival.seq ? log.arrivalOf(next.seq) : null
      if (further) paths.add(further.path)
    }
  }
  return null
}

function isOnChain<E extends LogEdit>(head: number, wanted: number, log: EditLog<E>): boolean {
  let seq = head
  while (seq > wanted) seq = seqBelow(log.edit(seq), log, false)
  return seq === wanted
}

/** [LG-7] The paths, and where content that was moved away from them is now. */
export function currentPaths<E extends LogEdit>(paths: Iterable<number>, log: EditLog<E>): Set<number> {
  const found = new Set<number>()
  for (const path of paths) {
    found.add(path)
    for (const departure of log.departuresFrom(path)) {
      const now = currentPathOf(departure, log)
      if (now !== null) found.add(now)
    }
  }
  return found
}

/**
 * [LG-7] The path of an edit and every path that its content was moved to since, whether these moves are in force or
 * not.
 */
export function pathsSince<E extends LogEdit>({ path, seq }: Pick<E, 'path' | 'seq'>, log: EditLog<E>): Set<number> {
  // Grows while it is walked. A path counts from the edit that brought the content there.
  const found = new Map([[path, seq]])
  for (const [at, since] of found)
    for (const departure of log.departuresFrom(at)) {
      const arrival = departure.seq > since ? log.arrivalOf(departure.seq) : null
      if (arrival && !found.has(arrival.path)) found.set(arrival.path, arrival.seq)
    }
  return new Set(found.keys())
}

/**
 * The edits from `since` on whose content is part of a path's current version, newest first. Restores only arrange edits,
 * so none is listed.
 */
export function editsInForce<E extends LogEdit>(head: number, log: EditLog<E>, since = 1): E[] {
  return [...walkWithCovered(head, log, since)]
    .filter(({ edit, omitted }) => edit.origin !== 'restore' && !omitted)
    .map(({ edit }) => edit)
}

/** An edit of a path where nothing was moved or merged. */
type PlainEdit = Pick<LogEdit, 'seq' | 'base'>

/**
 * The edits that are on only one of the chains of two edits of a path, newest first: those `left` are on the chain of `from`,
 * the others on that of `to`. Their length is that of the parts in which the chains differ. `edit` returns null for one
 * that moved or merged something: then nothing is known, and the result is null.
 */
export function chainDifference<E extends PlainEdit>(
  from: number,
  to: number,
  edit: (seq: number) => E | null
): { readonly edit: E; readonly left: boolean }[] | null {
  const found: { readonly edit: E; readonly left: boolean }[] = []
  for (let [a, b] = [from, to]; a !== b; ) {
    const newer = edit(Math.max(a, b))
    if (newer === null) return null
    const left = a > b
    found.push({ edit: newer, left })
    const below = requireEarlier(newer, newer.base)
    if (left) a = below
    else b = below
  }
  return found
}

/** What undoing some edits of one path involves. */
type UndoScope<E extends LogEdit> =
  /** None of the edits is in force on this path: there is nothing to undo. */
  | { readonly state: 'not-in-force' }
  | {
      readonly state: 'in-force'
      /** The oldest edit to undo. Without foreign edits the path returns to the version before it. */
      readonly deepest: E
      /** All edits to undo, newest first. */
      readonly own: readonly E[]
      /**
       * Edits of other writers on top of `deepest`, newest first. Returning to before `deepest` would lose them: a
       * conflict.
       */
      readonly foreign: readonly E[]
      /**
       * A merge on top of `deepest` removed something below it. The version before `deepest` still holds that, so only
       * another merge, one that removes `own`, gives the correct content.
       */
      readonly merged: boolean
      /** [LG-7] The arrivals to undo by which the file has its name, newest first. */
      readonly moves: readonly E[]
    }

/**
 * [RS-10] [RS-13] Decides by edits in force, never by comparing bytes, what undoing the edits for which `isOwn` holds
 * involves. A restore's edit counts only if it is one of them. O(length of the chain down to `since`, the first of them;
 * where one of them is a move, those below count, too).
 */
export function findUndoScope<E extends LogEdit>(
  head: number,
  log: EditLog<E>,
  isOwn: (edit: E) => boolean,
  since = 1
): UndoScope<E> {
  const own: E[] = []
  const others: E[] = []
  // Of what was passed before the deepest own edit found so far: how many of `others`, and whether a merge of an edit below.
  let foreignCount = 0
  let merged = false
  let omittedSince = Number.POSITIVE_INFINITY
  const moves = trackMoves(head, log)
  for (const { edit, omitted } of walkChain(head, log, undefined, since)) {
    moves.pass(edit, omitted ? 'undone' : isOwn(edit) ? 'own' : 'standing')
    if (isOwn(edit) && !omitted) {
      own.push(edit)
      foreignCount = others.length
      merged = omittedSince < edit.seq
      // A restore has one edit per path, and this walk follows its pointer, past what it replaced: nothing more to
      // find.
      if (edit.origin === 'restore') break
    } else if (edit.origin !== 'restore' && !omitted) others.push(edit)
    if (!omitted) omittedSince = Math.min(omittedSince, edit.omitsSince ?? omittedSince)
  }
  const deepest = own.at(-1)
  return deepest
    ? { state: 'in-force', deepest, own, foreign: others.slice(0, foreignCount), merged, moves: moves.undone }
    : { state: 'not-in-force' }
}

/**
 * [RS-10] The same for edits that are in force below a file which was moved to this name since: undoing them would
 * replace that file, so all that made it are `foreign`. There are none once it has left the name.
 */
export function findCoveredScope<E extends LogEdit>(
  head: number,
  log: EditLog<E>,
  isOwn: (edit: E) => boolean
): UndoScope<E> {
  const others: E[] = []
  for (let at = head; at !== 0; ) {
    const { above, covered } = belowMove(at, log)
    if (!covered) break
    if (log.edit(at).after !== log.absent) others.push(...above.filter(({ origin }) => origin !== 'restore'))
    const scope = findUndoScope(covered.seq, log, isOwn)
    if (scope.state === 'in-force') return { ...scope, foreign: [...others, ...scope.foreign], moves: [] }
    at = covered.seq
  }
  return { state: 'not-in-force' }
}

/**
 * [LG-7] Finds the moves that an undo reverts, newest first: those by which the file has its name, down to the first
 * that stands. A move that was undone while a later one stood is completed with that one.
 */
function trackMoves<E extends LogEdit>(head: number, log: EditLog<E>) {
  const undone: E[] = []
  /** Where the content was at this point of the chain; null below a move that stands. */
  let at = head === 0 ? null : log.edit(head).path
  /** A restore moved the file back here: the moves that it reverted are below it. */
  let returnedTo: number | null = null
  const pass = (edit: E, state: 'own' | 'undone' | 'standing'): void => {
    if (edit.movedFrom === null || edit.path !== at) return
    const from = log.edit(edit.movedFrom).path
    if (returnedTo !== null) {
      if (from === returnedTo) returnedTo = null
    } else if (state === 'own' || (state === 'undone' && undone.length > 0)) undone.push(edit)
    else if (state === 'standing' && edit.origin === 'restore') returnedTo = edit.path
    else {
      at = null
      return
    }
    at = from
  }
  return { undone, pass }
}
