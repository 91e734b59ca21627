/** The last rung: the run of lines that is most like what was asked for, taken only when nothing else is nearly as like. */
import { type Folded, NEW_LINE } from './fold.ts'
import { lineDistance } from './line-distance.ts'

/** Share of units that must be equal. */
const SIMILARITY_THRESHOLD = 0.85
/** A second place this near to the best one makes it a guess. */
const AMBIGUITY_MARGIN = 0.05
/** From this many lines on, the first and the last have to be equal. */
const ANCHORED_LINES = 3
/** With fewer units one difference is already too much of the whole. */
const SHORTEST = 16
/** Cells of distance tables worked out before it gives up: about half a second. */
const BUDGET = 60_000_000
/** What a nearest place is at least like. */
const WORTH_NAMING = 0.4
const NEAREST_BUDGET = 20_000_000
/** What finding a known distance costs, in cells. */
const LOOKUP = 10

/** Lines with words of a folded text; blank ones are not in it. */
export interface WordLines {
  readonly lines: readonly Uint16Array[]
  /** Offsets in the text where the words of each begin and end. */
  readonly offsets: readonly number[]
  readonly ends: readonly number[]
}

export function wordLines({ units, starts, ends }: Folded): WordLines {
  const lines: Uint16Array[] = []
  const offsets: number[] = []
  const lineEnds: number[] = []
  let from = 0
  for (let at = 0; at <= units.length; at++) {
    if (at < units.length && units[at] !== NEW_LINE) continue
    if (at > from) {
      lines.push(units.subarray(from, at))
      offsets.push(starts[from]!)
      lineEnds.push(ends[at - 1]!)
    }
    from = at + 1
  }
  return { lines, offsets, ends: lineEnds }
}

export type Similar =
  /** `at`: the first of the file's lines, as many as were asked for. */
  | { readonly result: 'one'; readonly at: number; readonly similarity: number }
  | { readonly result: 'several'; readonly at: readonly number[] }
  | { readonly result: 'none' }
  /** There was too much to compare. */
  | { readonly result: 'too-much' }

class BudgetExceeded extends Error {}

export function mostSimilar(file: WordLines, asked: WordLines): Similar {
  const count = asked.lines.length
  const length = total(asked.lines)
  if (count === 0 || count > file.lines.length || length < SHORTEST) return { result: 'none' }
  try {
    return bestOf(candidates(file, asked, length), createBudget(BUDGET), file, asked)
  } catch (error) {
    if (error instanceof BudgetExceeded) return { result: 'too-much' }
    throw error
  }
}

function bestOf(starts: readonly number[], spend: (cells: number) => void, file: WordLines, asked: WordLines): Similar {
  const distance = memoized(file, asked, spend)
  const good: { at: number; similarity: number }[] = []
  for (const at of starts) {
    const similarity = similarityAt(file, asked, at, distance)
    if (similarity >= SIMILARITY_THRESHOLD - AMBIGUITY_MARGIN) good.push({ at, similarity })
  }
  const best = good.reduce((a, b) => (b.similarity > a.similarity ? b : a), { at: -1, similarity: 0 })
  if (best.similarity < SIMILARITY_THRESHOLD) return { result: 'none' }
  const rivals = good.filter((one) => one.similarity >= best.similarity - AMBIGUITY_MARGIN)
  return rivals.length > 1
    ? { result: 'several', at: rivals.map((rival) => rival.at) }
    : { result: 'one', at: best.at, similarity: best.similarity }
}

/** Where the lines asked for may stand: the ends are equal when there are enough lines, and the lengths are near enough. */
function candidates(file: WordLines, asked: WordLines, length: number): number[] {
  const count = asked.lines.length
  const first = asked.lines[0]!
  const last = asked.lines[count - 1]!
  const found: number[] = []
  let inWindow = 0
  for (let line = 0; line < file.lines.length; line++) {
    inWindow += file.lines[line]!.length
    const at = line - count + 1
    if (at < 0) continue
    if (at > 0) inWindow -= file.lines[at - 1]!.length
    const anchored = count < ANCHORED_LINES || (isEqual(file.lines[at]!, first) && isEqual(file.lines[line]!, last))
    if (anchored && Math.abs(inWindow - length) <= mostDifferent(Math.max(inWindow, length))) found.push(at)
  }
  return found
}

function mostDifferent(length: number): number {
  return Math.floor(length * (1 - SIMILARITY_THRESHOLD + AMBIGUITY_MARGIN))
}

function similarityAt(
  file: WordLines,
  asked: WordLines,
  at: number,
  distance: (line: number, wanted: number, limit: number) => number
): number {
  let longer = 0
  for (let n = 0; n < asked.lines.length; n++) longer += Math.max(file.lines[at + n]!.length, asked.lines[n]!.length)
  const limit = mostDifferent(longer)
  let different = 0
  for (let n = 0; n < asked.lines.length; n++) {
    different += distance(at + n, n, limit - different)
    if (different > limit) return 0
  }
  return 1 - different / longer
}

/** Lines repeat, in hostile files most of all: two equal ones are compared once. */
function memoized(file: WordLines, asked: WordLines, spend: (cells: number) => void) {
  const ids = new Map<string, number>()
  const idOf = (line: Uint16Array): number => {
    const key = textOf(line)
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  }
  const askedIds = asked.lines.map(idOf)
  const fileIds = file.lines.map(idOf)
  const known = new Map<number, { readonly limit: number; readonly value: number }>()
  return (line: number, wanted: number, limit: number): number => {
    spend(LOOKUP)
    if (fileIds[line] === askedIds[wanted]) return 0
    const key = fileIds[line]! * askedIds.length + wanted
    const before = known.get(key)
    if (before && (before.value <= before.limit || before.limit >= limit)) return Math.min(before.value, limit + 1)
    const value = lineDistance(file.lines[line]!, asked.lines[wanted]!, limit, spend)
    known.set(key, { limit, value })
    return value
  }
}

function textOf(units: Uint16Array): string {
  let text = ''
  for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode(...units.subarray(at, at + 4096))
  return text
}

/** The line that is most like the longest one asked for, however little; null when none is worth naming. */
export function nearestLine(
  file: WordLines,
  asked: WordLines
): { readonly at: number; readonly similarity: number } | null {
  const wanted = asked.lines.reduce((a, b) => (b.length > a.length ? b : a), new Uint16Array(0))
  const spend = createBudget(NEAREST_BUDGET)
  let best: { at: number; similarity: number } | null = null
  try {
    for (const [at, line] of file.lines.entries()) {
      const longer = Math.max(line.length, wanted.length)
      const least = best?.similarity ?? WORTH_NAMING
      const limit = Math.floor(longer * (1 - least))
      const different = lineDistance(line, wanted, limit, spend)
      const similarity = 1 - different / longer
      if (different <= limit && similarity >= WORTH_NAMING && similarity > (best?.similarity ?? 0))
        best = { at, similarity }
      if (similarity === 1) break
    }
  } catch (error) {
    // It is only a hint: the best so far will do.
    if (!(error instanceof BudgetExceeded)) throw error
  }
  return best
}

function createBudget(cells: number): (spent: number) => void {
  let left = cells
  return (spent) => {
    left -= spent
    if (left < 0) throw new BudgetExceeded()
  }
}

function isEqual(a: Uint16Array, b: Uint16Array): boolean {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false
  return true
}

function total(lines: readonly Uint16Array[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
