/**
 * The last rung: finds the consecutive lines of a file that are most similar to the quoted lines, and accepts them only
 * if no other lines are nearly as similar. All work is charged to a budget, so that a hostile file cannot make it slow.
 */
import { type Folded, NEW_LINE } from './fold.ts'

/** Share of units that must be equal: 1 - edit distance / length. */
export const SIMILARITY_THRESHOLD = 0.85
/** Another candidate within this distance of the best one makes the match ambiguous. */
const AMBIGUITY_MARGIN = 0.05
/** With this many lines or more, the first and the last must be equal. */
const ANCHORED_LINES = 3
/** Minimum units: in a shorter quote one difference is too large a share. */
const MIN_UNITS = 16
/** Limit on computed cells of distance tables: about half a second. */
const BUDGET = 60_000_000
/** The nearest line is reported from this similarity on. */
const MIN_NEAREST = 0.4
const NEAREST_BUDGET = 20_000_000
/** Charge for looking up a known distance, in cells. */
const LOOKUP_COST = 10

/** The lines of a folded text that are not blank. */
interface WordLines {
  readonly lines: readonly Uint16Array[]
  /** Offsets in the original text at which the text of each line begins and ends. */
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

type Similar =
  /** `at`: index of the first matching line; as many lines match as were quoted. */
  | { readonly result: 'unique'; readonly at: number; readonly similarity: number }
  | { readonly result: 'several'; readonly at: readonly number[] }
  | { readonly result: 'none' }
  /** The budget was exceeded. */
  | { readonly result: 'too-much' }

class BudgetExceeded extends Error {}

/** Charges computed cells to a budget. Throws BudgetExceeded. */
type Spend = (cells: number) => void

export function mostSimilar(file: WordLines, quoted: WordLines): Similar {
  const count = quoted.lines.length
  const length = total(quoted.lines)
  if (count === 0 || count > file.lines.length || length < MIN_UNITS) return { result: 'none' }
  try {
    return bestOf(candidates(file, quoted, length), createBudget(BUDGET), file, quoted)
  } catch (error) {
    if (error instanceof BudgetExceeded) return { result: 'too-much' }
    throw error
  }
}

function bestOf(starts: readonly number[], spend: Spend, file: WordLines, quoted: WordLines): Similar {
  const distance = memoized(file, quoted, spend)
  const good: { at: number; similarity: number }[] = []
  for (const at of starts) {
    const similarity = similarityAt(file, quoted, at, distance)
    if (similarity >= SIMILARITY_THRESHOLD - AMBIGUITY_MARGIN) good.push({ at, similarity })
  }
  const best = good.reduce((a, b) => (b.similarity > a.similarity ? b : a), { at: -1, similarity: 0 })
  if (best.similarity < SIMILARITY_THRESHOLD) return { result: 'none' }
  const rivals = good.filter(({ similarity }) => similarity >= best.similarity - AMBIGUITY_MARGIN)
  return rivals.length > 1
    ? { result: 'several', at: rivals.map((rival) => rival.at) }
    : { result: 'unique', at: best.at, similarity: best.similarity }
}

/**
 * Indices at which the quoted lines may match: the first and last line are equal (from ANCHORED_LINES on), and the
 * total lengths are close.
 */
function candidates(file: WordLines, quoted: WordLines, length: number): number[] {
  const count = quoted.lines.length
  const first = quoted.lines[0]!
  const last = quoted.lines[count - 1]!
  const found: number[] = []
  let windowUnits = 0
  for (let line = 0; line < file.lines.length; line++) {
    windowUnits += file.lines[line]!.length
    const at = line - count + 1
    if (at < 0) continue
    if (at > 0) windowUnits -= file.lines[at - 1]!.length
    const anchored = count < ANCHORED_LINES || (isEqual(file.lines[at]!, first) && isEqual(file.lines[line]!, last))
    if (anchored && Math.abs(windowUnits - length) <= maxDistance(Math.max(windowUnits, length))) found.push(at)
  }
  return found
}

/** The edit distance up to which lines of this length can still compete with a match. */
function maxDistance(length: number): number {
  return Math.floor(length * (1 - SIMILARITY_THRESHOLD + AMBIGUITY_MARGIN))
}

function similarityAt(file: WordLines, quoted: WordLines, at: number, distance: ReturnType<typeof memoized>): number {
  let longer = 0
  for (let n = 0; n < quoted.lines.length; n++) longer += Math.max(file.lines[at + n]!.length, quoted.lines[n]!.length)
  const limit = maxDistance(longer)
  let different = 0
  for (let n = 0; n < quoted.lines.length; n++) {
    different += distance(at + n, n, limit - different)
    if (different > limit) return 0
  }
  return 1 - different / longer
}

/** Compares equal pairs of lines once: lines repeat, most of all in a hostile file. */
function memoized(file: WordLines, quoted: WordLines, spend: Spend) {
  const ids = new Map<string, number>()
  const idOf = (line: Uint16Array): number => {
    const key = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('latin1')
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  }
  const quotedIds = quoted.lines.map(idOf)
  const fileIds = file.lines.map(idOf)
  const known = new Map<number, { readonly limit: number; readonly value: number }>()
  return (line: number, quotedLine: number, limit: number): number => {
    spend(LOOKUP_COST)
    if (fileIds[line] === quotedIds[quotedLine]) return 0
    const key = fileIds[line]! * quotedIds.length + quotedLine
    const cached = known.get(key)
    // A value above its limit says only that the distance is greater than that limit.
    if (cached && (cached.value <= cached.limit || cached.limit >= limit)) return Math.min(cached.value, limit + 1)
    const value = lineDistance(file.lines[line]!, quoted.lines[quotedLine]!, limit, spend)
    known.set(key, { limit, value })
    return value
  }
}

/** The line most similar to the longest quoted line, for an error message; null when none reaches MIN_NEAREST. */
export function nearestLine(file: WordLines, quoted: WordLines) {
  const longest = quoted.lines.reduce((a, b) => (b.length > a.length ? b : a), new Uint16Array(0))
  const spend = createBudget(NEAREST_BUDGET)
  let best: { at: number; similarity: number } | null = null
  try {
    for (const [at, line] of file.lines.entries()) {
      const longer = Math.max(line.length, longest.length)
      const least = best?.similarity ?? MIN_NEAREST
      const limit = Math.floor(longer * (1 - least))
      const different = lineDistance(line, longest, limit, spend)
      const similarity = 1 - different / longer
      if (different <= limit && similarity >= MIN_NEAREST && similarity > (best?.similarity ?? 0))
        best = { at, similarity }
      if (similarity === 1) break
    }
  } catch (error) {
    // It is only a hint: the best line so far is good enough.
    if (!(error instanceof BudgetExceeded)) throw error
  }
  return best
}

/** A function that throws BudgetExceeded when more than `cells` were spent. */
function createBudget(cells: number): Spend {
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

/**
 * Levenshtein distance of two lines: the smallest number of units to insert, delete or replace; `limit + 1` when it is
 * greater. Only cells within `limit` of the diagonal are computed (E. Ukkonen, "Algorithms for Approximate String
 * Matching", 1985). `spend` is called with the number of cells before they are computed; it may throw.
 */
function lineDistance(
  a: Uint16Array,
  b: Uint16Array,
  limit: number,
  spend: (cells: number) => void = () => {}
): number {
  let from = 0
  let endA = a.length
  let endB = b.length
  while (from < endA && from < endB && a[from] === b[from]) from++
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const rows = endA - from
  const columns = endB - from
  if (Math.abs(rows - columns) > limit) return limit + 1
  if (rows === 0 || columns === 0) return Math.max(rows, columns)
  spend(rows * Math.min(columns, 2 * limit + 1))
  // A cell farther than `limit` from the diagonal needs more than `limit` insertions or deletions.
  const tooFar = limit + 1
  const row = new Int32Array(columns + 1)
  for (let j = 0; j <= columns; j++) row[j] = j
  for (let i = 1; i <= rows; i++) {
    const first = Math.max(1, i - limit)
    const last = Math.min(columns, i + limit)
    let diagonal = row[first - 1]!
    row[first - 1] = first === 1 ? i : tooFar
    let least = row[first - 1]!
    for (let j = first; j <= last; j++) {
      const above = j === i + limit ? tooFar : row[j]!
      const changed = diagonal + (a[from + i - 1] === b[from + j - 1] ? 0 : 1)
      diagonal = row[j]!
      const cell = Math.min(changed, above + 1, row[j - 1]! + 1)
      row[j] = cell
      if (cell < least) least = cell
    }
    if (least > limit) return tooFar
  }
  return Math.min(row[columns]!, tooFar)
}
