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
 * even if its text is equal. No text is compared and nothing is applied to a moved context, so there is no fuzz as with
 * patches.
 *
 * The structure is that of SCCS's interleaved deltas: M. J. Rochkind, "The Source Code Control System", IEEE
 * Transactions on Software Engineering SE-1(4), 1975. Unlike SCCS, a line keeps a list of deleting hunks, because two
 * edits delete the same line when an earlier deletion was undone in between.
 *
 * Invariants: lines keep their relative order forever; a line is never removed from the weave; a hunk's name (edit and
 * number) is never reused. Building takes O(lines in the weave) per step, each query O(lines in the weave).
 */

/** One hunk of an edit: lines [from, to) of the version before the edit are replaced by `insert`. 0-based. */
export interface WeaveHunk {
  readonly from: number
  readonly to: number
  readonly insert: readonly string[]
}

/** Names one hunk of one edit; `hunk` counts from 0. */
export interface HunkRef {
  readonly seq: number
  readonly hunk: number
}

/** One step of the file's history: an edit, or a merge that omits hunks of earlier edits from then on. */
export type WeaveStep =
  | { readonly seq: number; readonly hunks: readonly WeaveHunk[] }
  | { readonly omit: readonly HunkRef[] }

interface Line {
  readonly text: string
  readonly insertedBy: HunkRef
  readonly deletedBy: HunkRef[]
  /** Without the hunks that merges have omitted so far. Kept, because every step needs it of every line. */
  visible: boolean
}

export interface Weave {
  /** The visible lines in order, each with the edit that inserted it; 0 = part of the original. */
  lines(): { readonly text: string; readonly seq: number }[]
  /** All hunks of an edit; empty for an edit that is no step of this weave or changed no line. */
  hunksOf(seq: number): HunkRef[]
  /** Whether a merge has omitted the hunk. */
  isOmitted(ref: HunkRef): boolean
  /** The hunks that inserted or deleted something within the visible lines [from, to), 0-based. */
  hunksAt(from: number, to: number): HunkRef[]
  /**
   * The lines without the hunks `undone`. Null when the result would be a guess: an edit in `foreign` changed the same
   * or an adjacent line, or a line without a line feed would be followed by another line.
   */
  without(undone: readonly HunkRef[], foreign: ReadonlySet<number>): string[] | null
}

const key = (ref: HunkRef): string => `${ref.seq}:${ref.hunk}`
const ORIGINAL: HunkRef = { seq: 0, hunk: 0 }

/**
 * Builds the weave from the original lines and all steps, oldest first. Throws RangeError when a hunk exceeds the
 * visible lines.
 */
export function weave(original: readonly string[], steps: readonly WeaveStep[]): Weave {
  let all: Line[] = original.map((text) => ({ text, insertedBy: ORIGINAL, deletedBy: [], visible: true }))
  const omitted = new Set<string>()
  const hunkCounts = new Map<number, number>()
  const update = (line: Line): void => {
    line.visible = isVisibleWithout(line, omitted)
  }

  for (const step of steps) {
    // Order matters: a hunk's line numbers count the lines visible at its step, so without the hunks omitted until
    // then.
    if ('omit' in step) {
      for (const ref of step.omit) omitted.add(key(ref))
      all.forEach(update)
    } else {
      hunkCounts.set(step.seq, step.hunks.length)
      all = applyHunks(all, step.seq, step.hunks, update)
    }
  }

  return {
    lines: () => all.filter(({ visible }) => visible).map((line) => ({ text: line.text, seq: line.insertedBy.seq })),
    hunksOf: (seq) => Array.from({ length: hunkCounts.get(seq) ?? 0 }, (_, hunk) => ({ seq, hunk })),
    isOmitted: (ref) => omitted.has(key(ref)),
    hunksAt: (from, to) => findHunksAt(all, omitted, from, to),
    without: (undone, foreign) => {
      const own = new Set(undone.map(key))
      if (touchesForeign(all, own, omitted, foreign)) return null
      const rest = new Set([...omitted, ...own])
      const lines = all.filter((line) => isVisibleWithout(line, rest)).map((line) => line.text)
      // Only the last line of a file may lack its line feed; anywhere else two lines would become one.
      return lines.slice(0, -1).every((text) => text.endsWith('\n')) ? lines : null
    }
  }
}

/** Whether the line is part of the file when the hunks in `omitted` never happened. */
function isVisibleWithout(line: Line, omitted: ReadonlySet<string>): boolean {
  return !omitted.has(key(line.insertedBy)) && line.deletedBy.every((ref) => omitted.has(key(ref)))
}

/**
 * Adds one edit: marks the lines it deletes and inserts its own lines behind them. Deleted lines that lie at the place
 * of a pure insertion stay behind it, because the new lines follow the visible line before them directly.
 */
function applyHunks(
  all: readonly Line[],
  seq: number,
  hunks: readonly WeaveHunk[],
  update: (line: Line) => void
): Line[] {
  // Index in the weave of each visible line. Taken before any hunk applies: all hunks count the version before the
  // edit.
  const visible: number[] = []
  for (let index = 0; index < all.length; index++) if ((all[index] as Line).visible) visible.push(index)
  const next: Line[] = []
  let copied = 0
  for (const [hunk, { from, to, insert }] of hunks.entries()) {
    if (from > to || to > visible.length)
      throw new RangeError(`hunk ${hunk} of edit ${seq} exceeds the version it changes`)
    // Insert after the last line the hunk deletes, or after the line before it, or at the start of the file.
    const end = to > from ? (visible[to - 1] as number) + 1 : from > 0 ? (visible[from - 1] as number) + 1 : 0
    for (; copied < end; copied++) next.push(all[copied] as Line)
    for (let n = from; n < to; n++) {
      const line = all[visible[n] as number] as Line
      line.deletedBy.push({ seq, hunk })
      update(line)
    }
    for (const text of insert) {
      const line = { text, insertedBy: { seq, hunk }, deletedBy: [], visible: true }
      update(line)
      next.push(line)
    }
  }
  for (; copied < all.length; copied++) next.push(all[copied] as Line)
  return next
}

/**
 * Whether a foreign insertion or deletion lies at or next to what is undone. Then the order of the two, or whether one
 * depends on the other, is not known, and a person has to decide. Deleted lines do not separate; visible ones do.
 */
function touchesForeign(
  all: readonly Line[],
  own: ReadonlySet<string>,
  omitted: ReadonlySet<string>,
  foreign: ReadonlySet<number>
): boolean {
  let previous: 'own' | 'foreign' | 'none' = 'none'
  for (const line of all) {
    const refs = [line.insertedBy, ...line.deletedBy].filter((ref) => !omitted.has(key(ref)))
    const isOwn = refs.some((ref) => own.has(key(ref)))
    const isForeign = refs.some((ref) => foreign.has(ref.seq) && !own.has(key(ref)))
    if (isOwn && isForeign) return true
    if (isOwn) {
      if (previous === 'foreign') return true
      previous = 'own'
    } else if (isForeign) {
      if (previous === 'own') return true
      previous = 'foreign'
    } else if (isVisibleWithout(line, omitted)) previous = 'none'
  }
  return false
}

/**
 * Deletions have no visible line of their own: one counts when it lies between, or at the edge of, lines [from, to).
 */
function findHunksAt(all: readonly Line[], omitted: ReadonlySet<string>, from: number, to: number): HunkRef[] {
  const found = new Map<string, HunkRef>()
  let visibleLines = 0
  for (const line of all) {
    if (line.visible) {
      if (visibleLines >= from && visibleLines < to) found.set(key(line.insertedBy), line.insertedBy)
      visibleLines++
    } else if (visibleLines >= from && visibleLines <= to) {
      for (const ref of line.deletedBy) if (!omitted.has(key(ref))) found.set(key(ref), ref)
    }
  }
  found.delete(key(ORIGINAL))
  return [...found.values()]
}
