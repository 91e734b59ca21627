/**
 * Names what edits changed in a file: hunks, and parts of hunks. Pure.
 *
 * A hunk consists of its changed lines, numbered from 0: the lines that it deletes, then those that it inserts. Each of
 * them can be undone by itself.
 */

/** Numbers [from, to). */
export type LineRange = readonly [from: number, to: number]

/** One hunk of an edit, by its number from 0, or a part of it. */
export interface HunkRef {
  readonly seq: number
  readonly hunk: number
  /** Only these of its changed lines; absent: the whole hunk. */
  readonly lines?: readonly LineRange[]
}

/** One changed line of a hunk. */
export interface LineRef {
  readonly seq: number
  readonly hunk: number
  readonly line: number
}

/** Some lines of a hunk that follow each other. */
export interface LineRefs extends LineRef {
  /** The number of lines from `line` on. */
  readonly count: number
}

const key = (ref: Omit<HunkRef, 'lines'>): string => `${ref.seq}:${ref.hunk}`

/** A set of changed lines. */
export class ChangedLines {
  readonly #refs = new Map<string, HunkRef>()
  #hasParts = false

  constructor(refs: Iterable<HunkRef> = []) {
    for (const ref of refs) this.add(ref)
  }

  add(ref: HunkRef): void {
    const { seq, hunk, lines } = ref
    const known = this.#refs.get(key(ref))
    if (!lines || (known && !known.lines)) this.#refs.set(key(ref), { seq, hunk })
    else {
      this.#hasParts = true
      this.#refs.set(key(ref), { seq, hunk, lines: joined([...(known?.lines ?? []), ...lines]) })
    }
  }

  /** False: it has every hunk as a whole or not at all. */
  hasParts(): boolean {
    return this.#hasParts
  }

  /** The number of lines of the hunk from this one on that are all in the set, or all not, as this one is. */
  uniformFrom(ref: LineRef): number {
    const bounds = this.#refs.get(key(ref))?.lines?.flat() ?? []
    return (bounds.find((bound) => bound > ref.line) ?? Number.POSITIVE_INFINITY) - ref.line
  }

  has(ref: LineRef): boolean {
    if (this.#refs.size === 0) return false
    const known = this.#refs.get(key(ref))
    return known !== undefined && (known.lines?.some(([from, to]) => ref.line >= from && ref.line < to) ?? true)
  }

  /** Whether it contains all of the part that `ref` names, or of the hunk, which has `count` changed lines. */
  hasAll(ref: HunkRef, count = Number.POSITIVE_INFINITY): boolean {
    const known = this.#refs.get(key(ref))
    if (!known?.lines) return known !== undefined
    const { lines } = known
    return (ref.lines ?? [[0, count]]).every(([from, to]) => lines.some((range) => range[0] <= from && to <= range[1]))
  }

  /** One for each hunk. */
  refs(): HunkRef[] {
    return [...this.#refs.values()]
  }
}

/** The parts of hunks that consist of these lines. */
export function partsOf(lines: readonly (LineRef | LineRefs)[]): HunkRef[] {
  const byHunk = Map.groupBy(lines, key)
  return [...byHunk.values()].map((refs) => ({
    seq: refs[0]!.seq,
    hunk: refs[0]!.hunk,
    lines: joined(refs.map((ref) => [ref.line, ref.line + ('count' in ref ? ref.count : 1)]))
  }))
}

/** In order, and without two ranges that overlap or touch. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
