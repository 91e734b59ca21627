/**
 * Finds the passage of a file that an agent quotes, on a ladder of rungs. Each rung ignores more differences than the
 * one before, and the first rung with a match decides. Two matches on a rung are refused, never chosen from.
 *
 * Rungs 1 to 6 fold both texts (fold.ts) and search exactly, in linear time. The last rung compares lines by edit
 * distance (similar-lines.ts), with a budget. Before that rung, and on each rung, an edit that was applied already is
 * recognised.
 */
import { type Folded, type FoldRules, fold, isWord, trimLineEnds } from './fold.ts'
import { mostSimilar, nearestLine, wordLines } from './similar-lines.ts'

export type Rung = 'exact' | 'whitespace' | 'indentation' | 'unicode' | 'similar'

/** Offsets in the text, [from, to). */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

type Located =
  | {
      readonly result: 'unique'
      readonly rung: Rung
      readonly span: TextSpan
      /** True when indentation, blanks at line ends and empty lines were ignored. */
      readonly loose: boolean
      /** 1 on every rung but `similar`. */
      readonly similarity: number
    }
  /** The edit was applied already: every match is part of the new text. */
  | { readonly result: 'applied'; readonly span: TextSpan }
  | { readonly result: 'several'; readonly rung: Rung; readonly offsets: readonly number[]; readonly more: boolean }
  | { readonly result: 'none'; readonly nearest: Nearest | null; readonly tooMuch: boolean }

/** The line of the file that is most similar to the longest quoted line. */
interface Nearest {
  readonly offset: number
  readonly similarity: number
}

export interface EditRequest {
  /** The file. */
  readonly text: string
  /** The quoted passage, and its replacement. */
  readonly old: string
  readonly new: string
  /** Only the first rung: for secret files, so that their content cannot be guessed step by step. */
  readonly exactOnly?: boolean
  /** Called before the last rung: whether the log has exactly this edit already. */
  readonly wasApplied?: () => boolean
}

const RUNGS: readonly (FoldRules & { readonly rung: Rung })[] = [
  { rung: 'exact', blanks: 'kept', plain: false },
  { rung: 'whitespace', blanks: 'runs', plain: false },
  { rung: 'indentation', blanks: 'ignored', plain: false },
  { rung: 'unicode', blanks: 'kept', plain: true },
  { rung: 'unicode', blanks: 'runs', plain: true },
  { rung: 'unicode', blanks: 'ignored', plain: true }
]

/** Matches are counted up to this number. */
const MAX_MATCHES = 1000
/** Longer texts, in UTF-16 units, are tried on the exact rung alone. */
const MAX_TEXT_UNITS = 8_000_000
const MAX_OLD_UNITS = 400_000

export function locate(request: EditRequest): Located {
  const { text, old } = request
  const canFold = request.exactOnly !== true && text.length <= MAX_TEXT_UNITS && old.length <= MAX_OLD_UNITS
  const isAscii = isAsciiText(text) && isAsciiText(old)
  for (const { rung, ...how } of RUNGS) {
    if (rung !== 'exact' && !canFold) break
    // The unicode rungs fold no character of an ASCII text.
    if (how.plain && isAscii) continue
    const found = locateOnRung(request, rung, how)
    if (found) return found
  }
  if ((canFold && hasInsertedLines(request)) || request.wasApplied?.())
    return { result: 'applied', span: { from: 0, to: 0 } }
  if (!canFold) return { result: 'none', nearest: null, tooMuch: request.exactOnly !== true }
  return locateSimilar(request)
}

function locateOnRung(request: EditRequest, rung: Rung, how: FoldRules): Located | null {
  const exact = rung === 'exact'
  const trim = exact ? (folded: Folded): Folded => folded : trimLineEnds
  const old = trim(fold(request.old, how))
  if (old.units.length === 0) return null
  const text = fold(request.text, how)
  const all = occurrences(text.units, old.units, MAX_MATCHES)
  const matches = exact ? all : all.filter((at) => isEdge(text, at) && isEdge(text, at + old.units.length))
  if (matches.length === 0) return null
  const offsets = matches.map((at) => text.starts[at]!)
  const span = { from: offsets[0]!, to: text.ends[matches[0]! + old.units.length - 1]! }
  if (differsBeyondBlanks(request) && isInsideNewText(text, matches, old.units.length, trim(fold(request.new, how))))
    return { result: 'applied', span }
  if (matches.length > 1) return { result: 'several', rung, offsets, more: matches.length === MAX_MATCHES }
  return { result: 'unique', rung, span, loose: how.blanks === 'ignored', similarity: 1 }
}

/** Whether a match may begin or end here: not inside a character or a word. */
function isEdge({ units, starts, ends }: Folded, at: number): boolean {
  if (at === 0 || at === units.length) return true
  // Units with the same source are parts of one character.
  if (starts[at] === starts[at - 1] && ends[at] === ends[at - 1]) return false
  return !(isWord(units[at - 1]!) && isWord(units[at]!))
}

/**
 * The new text contains the old one, and every match lies inside a copy of the new text: replacing again would insert
 * the addition twice.
 */
function isInsideNewText(text: Folded, matches: readonly number[], length: number, replacement: Folded): boolean {
  if (replacement.units.length <= length) return false
  const applied = occurrences(text.units, replacement.units, MAX_MATCHES)
  return matches.every((at) => applied.some((from) => from <= at && at + length <= from + replacement.units.length))
}

/** Whether the edit changes more than whitespace. An inserted blank or line end occurs in many places by chance. */
function differsBeyondBlanks({ old, new: replacement }: EditRequest): boolean {
  return replacement.replace(/\s+/g, '') !== old.replace(/\s+/g, '')
}

/** The edit inserts lines between kept lines, and the file contains the kept lines with the new lines between them. */
function hasInsertedLines({ text, old, new: replacement }: EditRequest): boolean {
  const keptLines = wordLines(fold(old, LOOSEST)).lines.map(String)
  let next = 0
  for (const line of wordLines(fold(replacement, LOOSEST)).lines) if (String(line) === keptLines[next]) next++
  return keptLines.length > 1 && next === keptLines.length && containsPassage(text, replacement)
}

/** Whether a text contains a passage, ignoring whitespace, indentation and Unicode variants. */
export function containsPassage(text: string, passage: string): boolean {
  const { units } = trimLineEnds(fold(passage, LOOSEST))
  return units.length === 0 || occurrences(fold(text, LOOSEST).units, units, 1).length > 0
}

const LOOSEST: FoldRules = { blanks: 'ignored', plain: true }

function locateSimilar(request: EditRequest): Located {
  const text = fold(request.text, LOOSEST)
  const file = wordLines(text)
  const quoted = wordLines(fold(request.old, LOOSEST))
  const found = mostSimilar(file, quoted)
  if (found.result === 'several')
    return { result: 'several', rung: 'similar', offsets: found.at.map((at) => file.offsets[at]!), more: false }
  if (found.result === 'unique') {
    const span = { from: file.offsets[found.at]!, to: file.ends[found.at + quoted.lines.length - 1]! }
    if (overlapsNewText(text, span, request.new)) return { result: 'applied', span }
    return { result: 'unique', rung: 'similar', span, loose: true, similarity: found.similarity }
  }
  const near = quoted.lines.length > 0 ? nearestLine(file, quoted) : null
  return {
    result: 'none',
    nearest: near && { offset: file.offsets[near.at]!, similarity: near.similarity },
    tooMuch: found.result === 'too-much'
  }
}

/** The file contains the new text at, or overlapping, this span. */
function overlapsNewText(text: Folded, span: TextSpan, replacement: string): boolean {
  const { units } = trimLineEnds(fold(replacement, LOOSEST))
  return occurrences(text.units, units, MAX_MATCHES).some(
    (at) => text.starts[at]! < span.to && text.ends[at + units.length - 1]! > span.from
  )
}

function isAsciiText(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}

/**
 * Offsets at which `needle` begins, at most `most`. Matches do not overlap. Linear time for any input (Knuth, Morris
 * and Pratt, 1977): a hostile file cannot make it quadratic.
 */
function occurrences(units: Uint16Array, needle: Uint16Array, most: number): number[] {
  const found: number[] = []
  if (needle.length === 0 || needle.length > units.length) return found
  const failure = failureFunction(needle)
  let matched = 0
  for (let at = 0; at < units.length; at++) {
    while (matched > 0 && units[at] !== needle[matched]) matched = failure[matched - 1]!
    if (units[at] === needle[matched]) matched++
    if (matched < needle.length) continue
    found.push(at - needle.length + 1)
    if (found.length === most) break
    matched = 0
  }
  return found
}

/** The failure function: for each prefix of `needle`, the length of the longest shorter prefix that it ends with. */
function failureFunction(needle: Uint16Array): Int32Array {
  const failure = new Int32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = failure[length - 1]!
    if (needle[at] === needle[length]) length++
    failure[at] = length
  }
  return failure
}
