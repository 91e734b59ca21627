/**
 * A weave: the lines of one file together with their whole history. Pure.
 *
 * The weave holds every line that any edit of the chain inserted, in file order, deleted lines included. Each line
 * names the hunk that inserted it and the hunks that deleted it. Three edits, for example
 *
 *     0: a b c        1: a X c        2: a X Y c
 *
 * make this weave, in which `a`, `X`, `Y` and `c` are visible:
 *
 *     a    by 0
 *     b    by 0, deleted by 1
 *     X    by 1
 *     Y    by 2
 *     c    by 0
 *
 * A line is visible when its inserting hunk applies and none of its deleting hunks does. Undoing hunks means computing
 * visibility without them: lines they inserted disappear, lines they deleted return, and no other line can change,
 * even if its text is equal. The same holds for a part of a hunk, because each line names its place in the hunk. No
 * text is compared and nothing is applied to a moved context, so there is no fuzz as with patches.
 *
 * The structure is that of SCCS's interleaved deltas: M. J. Rochkind, "The Source Code Control System", IEEE
 * Transactions on Software Engineering SE-1(4), 1975. Unlike SCCS, a line keeps a list of deleting hunks, because two
 * edits delete the same line when an earlier deletion was undone in between.
 *
 * Adjacent lines with the same history are one span, so the cost follows what changed and not the size of the file: a
 * weave takes O(spans) per step and query. The texts stay with the caller; a line is a number in one of them.
 *
 * Invariants: lines keep their relative order forever; a line is never removed from the weave; a hunk's name (edit and
 * number) is never reused.
 */
import { ChangedLines, type HunkRef, type LineRef, type LineRefs, partsOf } from './changed-lines.ts'
import {
  createLineFinder,
  cut,
  isVisibleWithout,
  type LineSource,
  lengthOf,
  lineAfter,
  type Piece,
  type Span,
  uniform
} from './spans.ts'

/** One hunk of an edit: lines [from, to) of the version before the edit are replaced by `insert`. 0-based. */
export interface WeaveHunk<S> {
  readonly from: number
  readonly to: number
  readonly insert: Piece<S>
}

/** One step of the file's history: an edit, or a merge that omits hunks of earlier edits from then on. */
export type WeaveStep<S> =
  | { readonly seq: number; readonly hunks: readonly WeaveHunk<S>[] }
  | { readonly omit: readonly HunkRef[] }

/** Where some lines of the weave are among the visible ones. */
interface LinePlace {
  /** Visible lines [from, to), 0-based, from the first of them to the last; empty where they were when none is visible. */
  readonly from: number
  readonly to: number
  /** How many of them are visible. */
  readonly visible: number
}

/** The net change of some edits, line by line. */
export interface NetChange<S> {
  /** The lines without these edits. */
  readonly before: readonly Piece<S>[]
  /** For each of the visible lines [from, to), where these edits inserted it; null if they did not. */
  insertedAt(from: number, to: number): (LineRef | null)[]
  /** For each of the lines [from, to) of `before`, where these edits deleted it: nowhere if it is visible. */
  deletedAt(from: number, to: number): LineRef[][]
}

/** `S`: the texts that the lines are in. Lines are counted from 0. */
export interface Weave<S> {
  /** The visible lines in order, with the edit that inserted them; 0 = part of the original. */
  pieces(): (Piece<S> & { readonly seq: number })[]
  /** All hunks of an edit; empty for an edit that is no step of this weave or changed no line. */
  hunksOf(seq: number): HunkRef[]
  /** Tests whether merges have omitted a hunk or a part of one, when `undone` is omitted, too. */
  isOutWith(undone: readonly HunkRef[]): (ref: HunkRef) => boolean
  /** The hunks that inserted or deleted something within the visible lines [from, to). */
  hunksAt(from: number, to: number): HunkRef[]
  /** Names the visible lines [from, to) by what inserted them. The names stay valid as the file changes. */
  nameLines(from: number, to: number): HunkRef[]
  /** Where lines named by `nameLines` are; null when the weave never had them. */
  findLines(names: readonly HunkRef[]): LinePlace | null
  netChange(seqs: ReadonlySet<number>): NetChange<S>
  /**
   * The lines without the hunks `undone`. Null when the result would be a guess: an edit in `foreign` changed the same
   * or an adjacent line, or a line without a line feed would be followed by another line.
   */
  without(undone: readonly HunkRef[], foreign: ReadonlySet<number>): Piece<S>[] | null
}

/** Names the original lines, as if edit 0 had inserted them. */
const ORIGINAL = { seq: 0, hunk: 0 }

/**
 * Builds the weave from the original text and all steps, oldest first. Throws RangeError when a hunk exceeds the
 * visible lines.
 */
export function weave<S extends LineSource>(original: S, steps: readonly WeaveStep<S>[]): Weave<S> {
  /** Always uniform in `omitted`. */
  let all: readonly Span<S>[] = spansOf({ source: original, from: 0, to: original.count }, { ...ORIGINAL, line: 0 })
  const omitted = new ChangedLines()
  const omissions: HunkRef[] = []
  /** Of each edit, the number of changed lines of each hunk. */
  const sizes = new Map<number, number[]>()

  for (const step of steps) {
    // Order matters: a hunk's line numbers count the lines visible at its step, so without the hunks omitted until
    // then.
    if ('omit' in step) {
      for (const ref of step.omit) {
        omissions.push(ref)
        omitted.add(ref)
      }
      all = uniform(all, omitted).map((span) => ({ ...span, visible: isVisibleWithout(span, omitted) }))
    } else {
      sizes.set(
        step.seq,
        step.hunks.map(({ from, to, insert }) => to - from + lengthOf(insert))
      )
      all = applyHunks(all, step.seq, step.hunks)
    }
  }

  const visible = all.filter((span) => span.visible)
  const hunksOf = (seq: number): HunkRef[] => (sizes.get(seq) ?? []).map((_, hunk) => ({ seq, hunk }))
  const without = (undone: readonly HunkRef[]): ChangedLines => new ChangedLines([...omissions, ...undone])
  return {
    pieces: () => visible.map(({ source, from, to, insertedBy }) => ({ source, from, to, seq: insertedBy.seq })),
    hunksOf,
    isOutWith: (undone) => {
      const out = without(undone)
      return (ref) => out.hasAll(ref, sizes.get(ref.seq)?.[ref.hunk] ?? 0)
    },
    hunksAt: (from, to) => findHunksAt(all, omitted, from, to),
    nameLines: (from, to) => partsOf(refsBetween(visible, from, to)),
    findLines: (names) => findLines(all, new ChangedLines(names)),
    netChange: (seqs) => findNetChange(all, omitted, without([...seqs].flatMap(hunksOf))),
    without: (undone, foreign) => {
      if (touchesForeign(all, new ChangedLines(undone), omitted, foreign)) return null
      const rest = without(undone)
      const left = uniform(all, rest).filter((span) => isVisibleWithout(span, rest))
      // Only the last line of a file may lack its line feed; anywhere else two lines would become one.
      const joins = left.slice(0, -1).some(({ source, to }) => source.endsOpen && to === source.count)
      return joins ? null : left.map(({ source, from, to }) => ({ source, from, to }))
    }
  }
}

/** Newly inserted lines; none for an empty piece. */
function spansOf<S>(piece: Piece<S>, insertedBy: LineRef): Span<S>[] {
  return lengthOf(piece) === 0 ? [] : [{ ...piece, insertedBy, deletedBy: [], visible: true }]
}

function refsBetween(visible: readonly Span<unknown>[], from: number, to: number): LineRefs[] {
  const refs: LineRefs[] = []
  let line = 0
  for (const span of visible) {
    const [first, end] = [Math.max(from - line, 0), Math.min(to - line, lengthOf(span))]
    if (first < end) refs.push({ ...lineAfter(span.insertedBy, first), count: end - first })
    line += lengthOf(span)
  }
  return refs
}

function findLines(all: readonly Span<unknown>[], wanted: ChangedLines): LinePlace | null {
  let found: { from: number; to: number; visible: number } | null = null
  let line = 0
  for (const span of uniform(all, wanted)) {
    const visible = span.visible ? lengthOf(span) : 0
    if (wanted.has(span.insertedBy)) {
      found ??= { from: line, to: line, visible: 0 }
      if (visible > 0) {
        if (found.visible === 0) found.from = line
        found.visible += visible
        found.to = line + visible
      }
    }
    line += visible
  }
  return found
}

/** `rest`: the omitted hunks and whole hunks, in which the spans are uniform, too. */
function findNetChange<S>(all: readonly Span<S>[], omitted: ChangedLines, rest: ChangedLines): NetChange<S> {
  const before = all.filter((span) => isVisibleWithout(span, rest))
  const visibleLines = createLineFinder(all.filter(({ visible }) => visible))
  const linesBefore = createLineFinder(before)
  return {
    before,
    insertedAt: (from, to) =>
      visibleLines(from, to, ({ insertedBy }, at) =>
        insertedBy.seq !== ORIGINAL.seq && rest.has(insertedBy) ? lineAfter(insertedBy, at) : null
      ),
    deletedAt: (from, to) =>
      linesBefore(from, to, ({ visible, deletedBy }, at) =>
        visible ? [] : deletedBy.filter((ref) => !omitted.has(ref)).map((ref) => lineAfter(ref, at))
      )
  }
}

/**
 * Adds one edit: marks the lines it deletes and inserts its own lines behind them, the first behind the first, and so
 * on, so that a part of a hunk that is undone is where its lines were. Deleted lines that lie at the place of a pure
 * insertion stay behind it, because the new lines follow the visible line before them directly.
 */
function applyHunks<S>(all: readonly Span<S>[], seq: number, hunks: readonly WeaveHunk<S>[]): Span<S>[] {
  const next: Span<S>[] = []
  let index = 0
  let rest = all[0]
  /** Passes spans up to and with the next `count` visible lines, which `place` places. */
  const take = (count: number, place: (span: Span<S>) => void): void => {
    for (let left = count; left > 0; ) {
      if (!rest) throw new RangeError(`a hunk of edit ${seq} exceeds the version it changes`)
      const length = lengthOf(rest)
      const taken = rest.visible && length > left ? left : length
      if (rest.visible) {
        place(cut(rest, 0, taken))
        left -= taken
      } else next.push(rest)
      rest = taken < length ? cut(rest, taken, length) : all[++index]
    }
  }
  let line = 0
  for (const [hunk, { from, to, insert }] of hunks.entries()) {
    const [deletes, inserts] = [to - from, lengthOf(insert)]
    if (from < line || deletes < 0) throw new RangeError(`hunk ${hunk} of edit ${seq} is out of order`)
    const pairs = Math.min(deletes, inserts)
    let deleted = 0
    const remove = (span: Span<S>): void => {
      next.push({ ...span, deletedBy: [...span.deletedBy, { seq, hunk, line: deleted }], visible: false })
      deleted += lengthOf(span)
    }
    const add = (first: number, end: number): void => {
      const piece = { source: insert.source, from: insert.from + first, to: insert.from + end }
      next.push(...spansOf(piece, { seq, hunk, line: deletes + first }))
    }
    take(from - line, (span) => next.push(span))
    for (let pair = 0; pair < pairs; pair++) {
      take(1, remove)
      add(pair, pair + 1)
    }
    take(deletes - pairs, remove)
    add(pairs, inserts)
    line = to
  }
  if (rest) next.push(rest)
  for (let i = index + 1; i < all.length; i++) next.push(all[i] as Span<S>)
  return next
}

/**
 * Whether a foreign insertion or deletion lies at or next to what is undone. Then the order of the two, or whether one
 * depends on the other, is not known, and a person has to decide. Deleted lines do not separate; visible ones do.
 */
function touchesForeign(
  all: readonly Span<unknown>[],
  own: ChangedLines,
  omitted: ChangedLines,
  foreign: ReadonlySet<number>
): boolean {
  let previous: 'own' | 'foreign' | 'none' = 'none'
  for (const span of uniform(all, own)) {
    const refs = [span.insertedBy, ...span.deletedBy].filter((ref) => !omitted.has(ref))
    const isOwn = refs.some((ref) => own.has(ref))
    const isForeign = refs.some((ref) => foreign.has(ref.seq) && !own.has(ref))
    if (isOwn && isForeign) return true
    if (isOwn) {
      if (previous === 'foreign') return true
      previous = 'own'
    } else if (isForeign) {
      if (previous === 'own') return true
      previous = 'foreign'
    } else if (isVisibleWithout(span, omitted)) previous = 'none'
  }
  return false
}

/**
 * Deletions have no visible line of their own: one counts when it lies between, or at the edge of, lines [from, to).
 */
function findHunksAt(all: readonly Span<unknown>[], omitted: ChangedLines, from: number, to: number): HunkRef[] {
  const found = new Map<string, HunkRef>()
  const add = ({ seq, hunk }: LineRef): void => {
    if (seq !== ORIGINAL.seq) found.set(`${seq}:${hunk}`, { seq, hunk })
  }
  let line = 0
  for (const span of all) {
    if (span.visible) {
      const end = line + lengthOf(span)
      if (line < to && end > from) add(span.insertedBy)
      line = end
    } else if (line >= from && line <= to) {
      for (const ref of span.deletedBy) if (!omitted.has(ref)) add(ref)
    }
  }
  return [...found.values()]
}
