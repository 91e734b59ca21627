/**
 * One file's lines with their whole history, as a weave: every line that any Edit in force inserted, in order, with who
 * inserted it and who deleted it. Taking Edits back is leaving them out: their lines go, the lines they deleted return,
 * and nobody else's line can be touched, however equal its text. Pure. The idea is that of SCCS's interleaved deltas.
 */

/** One hunk of an Edit: lines [from, to) of the state before it are replaced by `insert`. 0-based. */
export interface WeaveHunk {
  readonly from: number
  readonly to: number
  readonly insert: readonly string[]
}

/** Names one hunk of one Edit. */
export interface HunkRef {
  readonly seq: number
  readonly hunk: number
}

/** What happened to the file, oldest first: an Edit, or a merge that left hunks out from then on. */
export type WeaveStep =
  | { readonly seq: number; readonly hunks: readonly WeaveHunk[] }
  | { readonly leaveOut: readonly HunkRef[] }

interface Line {
  readonly text: string
  readonly by: HunkRef
  readonly deletedBy: HunkRef[]
}

export interface Weave {
  /** The lines now, with the Edit that wrote each; 0 = there from the beginning. */
  lines(): { readonly text: string; readonly seq: number }[]
  /** All hunks of an Edit. */
  hunksOf(seq: number): HunkRef[]
  /** A merge left it out before. */
  isLeftOut(ref: HunkRef): boolean
  /** Hunks that wrote or removed something within these lines of the present state (0-based, `to` exclusive). */
  hunksAt(from: number, to: number): HunkRef[]
  /**
   * The text without `taken`. Null when it is not safe: a later Edit by somebody else (`foreign`) touches the same place,
   * or a line without its line feed would end up in the middle.
   */
  without(taken: readonly HunkRef[], foreign: ReadonlySet<number>): string[] | null
}

const key = (ref: HunkRef): string => `${ref.seq}:${ref.hunk}`
const ORIGINAL: HunkRef = { seq: 0, hunk: 0 }

/** Builds the weave. Throws RangeError when a hunk does not fit the state it claims to change. */
export function weave(original: readonly string[], steps: readonly WeaveStep[]): Weave {
  let all: Line[] = original.map((text) => ({ text, by: ORIGINAL, deletedBy: [] }))
  const left = new Set<string>()
  const counts = new Map<number, number>()
  const isShown = (line: Line, out: ReadonlySet<string>): boolean =>
    !out.has(key(line.by)) && line.deletedBy.every((ref) => out.has(key(ref)))

  for (const step of steps) {
    if ('leaveOut' in step) for (const ref of step.leaveOut) left.add(key(ref))
    else {
      counts.set(step.seq, step.hunks.length)
      all = apply(all, step.seq, step.hunks, (line) => isShown(line, left))
    }
  }
  const shown = (): Line[] => all.filter((line) => isShown(line, left))

  return {
    lines: () => shown().map((line) => ({ text: line.text, seq: line.by.seq })),
    hunksOf: (seq) => Array.from({ length: counts.get(seq) ?? 0 }, (_, hunk) => ({ seq, hunk })),
    isLeftOut: (ref) => left.has(key(ref)),
    hunksAt: (from, to) => hunksAt(all, (line) => isShown(line, left), left, from, to),
    without: (taken, foreign) => {
      const mine = new Set(taken.map(key))
      const out = new Set([...left, ...mine])
      if (touches(all, mine, left, foreign, (line) => isShown(line, left))) return null
      const rest = all.filter((line) => isShown(line, out)).map((line) => line.text)
      return rest.slice(0, -1).every((text) => text.endsWith('\n')) ? rest : null
    }
  }
}

function apply(
  all: readonly Line[],
  seq: number,
  hunks: readonly WeaveHunk[],
  isShown: (line: Line) => boolean
): Line[] {
  const places: number[] = []
  for (const [at, line] of all.entries()) if (isShown(line)) places.push(at)
  const next: Line[] = []
  let done = 0
  for (const [hunk, { from, to, insert }] of hunks.entries()) {
    if (from > to || to > places.length) throw new RangeError(`edit ${seq} does not fit what was there before it`)
    // After the last line it removes, or right after the line before it.
    const end = to > from ? (places[to - 1] as number) + 1 : from > 0 ? (places[from - 1] as number) + 1 : 0
    for (; done < end; done++) next.push(all[done] as Line)
    for (let at = from; at < to; at++) (all[places[at] as number] as Line).deletedBy.push({ seq, hunk })
    for (const text of insert) next.push({ text, by: { seq, hunk }, deletedBy: [] })
  }
  for (; done < all.length; done++) next.push(all[done] as Line)
  return next
}

/** Somebody else's line or deletion lies at, or right beside, what is taken out: which of the two comes first is a person's decision. */
function touches(
  all: readonly Line[],
  mine: ReadonlySet<string>,
  left: ReadonlySet<string>,
  foreign: ReadonlySet<number>,
  isShown: (line: Line) => boolean
): boolean {
  let beside: 'mine' | 'foreign' | 'none' = 'none'
  const live = (ref: HunkRef): boolean => !left.has(key(ref))
  for (const line of all) {
    const refs = [line.by, ...line.deletedBy].filter(live)
    const isMine = refs.some((ref) => mine.has(key(ref)))
    const isForeign = refs.some((ref) => foreign.has(ref.seq) && !mine.has(key(ref)))
    if (isMine && isForeign) return true
    if (isMine) {
      if (beside === 'foreign') return true
      beside = 'mine'
    } else if (isForeign) {
      if (beside === 'mine') return true
      beside = 'foreign'
    } else if (isShown(line)) beside = 'none'
  }
  return false
}

function hunksAt(
  all: readonly Line[],
  isShown: (line: Line) => boolean,
  left: ReadonlySet<string>,
  from: number,
  to: number
): HunkRef[] {
  const found = new Map<string, HunkRef>()
  let at = 0
  for (const line of all) {
    if (isShown(line)) {
      if (at >= from && at < to) found.set(key(line.by), line.by)
      at++
    } else if (at >= from && at <= to) {
      for (const ref of line.deletedBy) if (!left.has(key(ref))) found.set(key(ref), ref)
    }
  }
  found.delete(key(ORIGINAL))
  return [...found.values()]
}
