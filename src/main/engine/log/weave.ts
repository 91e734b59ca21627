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
 * Invariants: lines keep their relative order forever; a line is never removed from the weave; a hunk's name (edit and
 * number) is never reused. Building takes O(lines in the weave) per step, each query O(lines in the weave).
 */
import { ChangedLines, type HunkRef, type LineRef, partsOf } from './changed-lines.ts'

/** One hunk of an edit: lines [from, to) of the version before the edit are replaced by `insert`. 0-based. */
export interface WeaveHunk {
  readonly from: number
  readonly to: number
  readonly insert: readonly string[]
}

/** One step of the file's history: an edit, or a merge that omits hunks of earlier edits from then on. */
export type WeaveStep =
  | { readonly seq: number; readonly hunks: readonly WeaveHunk[] }
  | { readonly omit: readonly HunkRef[] }

interface Line {
  readonly text: string
  readonly insertedBy: LineRef
  readonly deletedBy: LineRef[]
  /** Without the hunks that merges have omitted so far. Kept, because every step needs it of every line. */
  visible: boolean
}

/** Where some lines of the weave are among the visible ones. */
export interface LinePlace {
  /** Visible lines [from, to), 0-based, from the first of them to the last; empty where they were when none is visible. */
  readonly from: number
  readonly to: number
  /** How many of them are visible. */
  readonly visible: number
}

/** The net change of some edits, line by line. */
export interface NetChange {
  /** For each visible line, where these edits inserted it; null if they did not. */
  readonly inserted: readonly (LineRef | null)[]
  /** The lines without these edits; for each, where these edits deleted it: nowhere if it is visible. */
  readonly before: readonly { readonly text: string; readonly deleted: readonly LineRef[] }[]
}

export interface Weave {
  /** The visible lines in order, each with the edit that inserted it; 0 = part of the original. */
  lines(): { readonly text: string; readonly seq: number }[]
  /** All hunks of an edit; empty for an edit that is no step of this weave or changed no line. */
  hunksOf(seq: number): HunkRef[]
  /** Tests whether merges have omitted a hunk or a part of one, when `undone` is omitted, too. */
  isOutWith(undone: readonly HunkRef[]): (ref: HunkRef) => boolean
  /** The hunks that inserted or deleted something within the visible lines [from, to), 0-based. */
  hunksAt(from: number, to: number): HunkRef[]
  /** Names the visible lines [from, to), 0-based, by what inserted them. The names stay valid as the file changes. */
  nameLines(from: number, to: number): HunkRef[]
  /** Where lines named by `nameLines` are; null when the weave never had them. */
  findLines(names: readonly HunkRef[]): LinePlace | null
  netChange(seqs: ReadonlySet<number>): NetChange
  /**
   * The lines without the hunks `undone`. Null when the result would be a guess: an edit in `foreign` changed the same
   * or an adjacent line, or a line without a line feed would be followed by another line.
   */
  without(undone: readonly HunkRef[], foreign: ReadonlySet<number>): string[] | null
}

/** Names the original lines, as if edit 0 had inserted them. */
const ORIGINAL = { seq: 0, hunk: 0 }

/**
 * Builds the weave from the original lines and all steps, oldest first. Throws RangeError when a hunk exceeds the
 * visible lines.
 */
export function weave(original: readonly string[], steps: readonly WeaveStep[]): Weave {
  let all: Line[] = original.map((text, line) => ({
    text,
    insertedBy: { ...ORIGINAL, line },
    deletedBy: [],
    visible: true
  }))
  const omitted = new ChangedLines()
  const omissions: HunkRef[] = []
  /** Of each edit, the number of changed lines of each hunk. */
  const sizes = new Map<number, number[]>()
  const update = (line: Line): void => {
    line.visible = isVisibleWithout(line, omitted)
  }

  for (const step of steps) {
    // Order matters: a hunk's line numbers count the lines visible at its step, so without the hunks omitted until
    // then.
    if ('omit' in step) {
      for (const ref of step.omit) {
        omissions.push(ref)
        omitted.add(ref)
      }
      all.forEach(update)
    } else {
      sizes.set(
        step.seq,
        step.hunks.map(({ from, to, insert }) => to - from + insert.length)
      )
      all = applyHunks(all, step.seq, step.hunks, update)
    }
  }

  const hunksOf = (seq: number): HunkRef[] => (sizes.get(seq) ?? []).map((_, hunk) => ({ seq, hunk }))
  const without = (undone: readonly HunkRef[]): ChangedLines => new ChangedLines([...omissions, ...undone])
  return {
    lines: () => all.filter(({ visible }) => visible).map((line) => ({ text: line.text, seq: line.insertedBy.seq })),
    hunksOf,
    isOutWith: (undone) => {
      const out = without(undone)
      return (ref) => out.hasAll(ref, sizes.get(ref.seq)?.[ref.hunk] ?? 0)
    },
    hunksAt: (from, to) => findHunksAt(all, omitted, from, to),
    nameLines: (from, to) =>
      partsOf(
        all
          .filter(({ visible }) => visible)
          .slice(from, to)
          .map(({ insertedBy }) => insertedBy)
      ),
    findLines: (names) => findLines(all, new ChangedLines(names)),
    netChange: (seqs) => findNetChange(all, omitted, without([...seqs].flatMap(hunksOf))),
    without: (undone, foreign) => {
      if (touchesForeign(all, new ChangedLines(undone), omitted, foreign)) return null
      const rest = without(undone)
      const lines = all.filter((line) => isVisibleWithout(line, rest)).map((line) => line.text)
      // Only the last line of a file may lack its line feed; anywhere else two lines would become one.
      return lines.slice(0, -1).every((text) => text.endsWith('\n')) ? lines : null
    }
  }
}

/** Whether the line is part of the file when the changes in `omitted` never happened. */
function isVisibleWithout(line: Line, omitted: ChangedLines): boolean {
  return !omitted.has(line.insertedBy) && line.deletedBy.every((ref) => omitted.has(ref))
}

function findLines(all: readonly Line[], wanted: ChangedLines): LinePlace | null {
  let found: { from: number; to: number; visible: number } | null = null
  let visibleLines = 0
  for (const { insertedBy, visible } of all) {
    if (wanted.has(insertedBy)) {
      found ??= { from: visibleLines, to: visibleLines, visible: 0 }
      if (visible) {
        if (found.visible++ === 0) found.from = visibleLines
        found.to = visibleLines + 1
      }
    }
    if (visible) visibleLines++
  }
  return found
}

function findNetChange(all: readonly Line[], omitted: ChangedLines, rest: ChangedLines): NetChange {
  return {
    inserted: all
      .filter(({ visible }) => visible)
      .map(({ insertedBy }) => (insertedBy.seq !== ORIGINAL.seq && rest.has(insertedBy) ? insertedBy : null)),
    before: all
      .filter((line) => isVisibleWithout(line, rest))
      .map(({ text, visible, deletedBy }) => ({
        text,
        deleted: visible ? [] : deletedBy.filter((ref) => !omitted.has(ref))
      }))
  }
}

/**
 * Adds one edit: marks the lines it deletes and inserts its own lines behind them, the first behind the first, and so
 * on, so that a part of a hunk that is undone is where its lines were. Deleted lines that lie at the place of a pure
 * insertion stay behind it, because the new lines follow the visible line before them directly.
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
    const deletes = to - from
    const copyThrough = (line: number): void => {
      for (; copied <= line; copied++) next.push(all[copied] as Line)
    }
    // A pure insertion is after the line before it, or at the start of the file.
    if (deletes === 0 && from > 0) copyThrough(visible[from - 1] as number)
    for (let i = 0; i < deletes || i < insert.length; i++) {
      const deleted = i < deletes ? (visible[from + i] as number) : -1
      copyThrough(deleted)
      if (i < deletes) {
        const line = all[deleted] as Line
        line.deletedBy.push({ seq, hunk, line: i })
        update(line)
      }
      const text = insert[i]
      if (text === undefined) continue
      const line = { text, insertedBy: { seq, hunk, line: deletes + i }, deletedBy: [], visible: true }
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
  own: ChangedLines,
  omitted: ChangedLines,
  foreign: ReadonlySet<number>
): boolean {
  let previous: 'own' | 'foreign' | 'none' = 'none'
  for (const line of all) {
    const refs = [line.insertedBy, ...line.deletedBy].filter((ref) => !omitted.has(ref))
    const isOwn = refs.some((ref) => own.has(ref))
    const isForeign = refs.some((ref) => foreign.has(ref.seq) && !own.has(ref))
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
function findHunksAt(all: readonly Line[], omitted: ChangedLines, from: number, to: number): HunkRef[] {
  const found = new Map<string, HunkRef>()
  const add = ({ seq, hunk }: LineRef): void => {
    if (seq !== ORIGINAL.seq) found.set(`${seq}:${hunk}`, { seq, hunk })
  }
  let visibleLines = 0
  for (const line of all) {
    if (line.visible) {
      if (visibleLines >= from && visibleLines < to) add(line.insertedBy)
      visibleLines++
    } else if (visibleLines >= from && visibleLines <= to) {
      for (const ref of line.deletedBy) if (!omitted.has(ref)) add(ref)
    }
  }
  return [...found.values()]
}
