/**
 * Finds the one passage of a file that is meant, by a ladder: each rung takes more differences for none, and the first
 * rung that finds anything decides. Two places on a rung are a refusal, never a choice.
 */
import { type Folded, type FoldRules, fold, isWord, trimLineEnds } from './fold.ts'
import { occurrences } from './occurrences.ts'
import { mostSimilar, nearestLine, wordLines } from './similar-lines.ts'

export type Rung = 'exact' | 'whitespace' | 'indentation' | 'unicode' | 'similar'

/** Offsets of the passage in the text. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

export type Located =
  | {
      readonly result: 'one'
      readonly rung: Rung
      readonly span: TextSpan
      /** Indentation, blanks at line ends and empty lines were not compared. */
      readonly loose: boolean
      readonly similarity: number
    }
  /** Every place that fits is part of the new text already. */
  | { readonly result: 'applied'; readonly span: TextSpan }
  | { readonly result: 'several'; readonly rung: Rung; readonly offsets: readonly number[]; readonly more: boolean }
  | { readonly result: 'none'; readonly nearest: Nearest | null; readonly tooMuch: boolean }

/** The line that looks most like the longest line asked for. */
export interface Nearest {
  readonly offset: number
  readonly similarity: number
}

export interface EditRequest {
  readonly text: string
  readonly old: string
  readonly new: string
  /** Only the first rung: for files whose words are not to be guessed at. */
  readonly exactOnly?: boolean
  /** Asked before likeness is tried: whether the log knows that somebody made exactly this change already. */
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

/** More places than this are not counted. */
const MOST_PLACES = 1000
/** Beyond these sizes only the exact rung is tried. */
const LONGEST_TEXT = 8_000_000
const LONGEST_OLD = 400_000

export function locate(wanted: EditRequest): Located {
  const { text, old } = wanted
  const short = wanted.exactOnly !== true && text.length <= LONGEST_TEXT && old.length <= LONGEST_OLD
  const plain = isPlain(text) && isPlain(old)
  for (const { rung, ...how } of RUNGS) {
    if (rung !== 'exact' && !short) break
    // Nothing in either text is folded by this.
    if (how.plain && plain) continue
    const found = locateOnRung(wanted, rung, how)
    if (found) return found
  }
  if ((short && hasInsertedLines(wanted)) || wanted.wasApplied?.()) return { result: 'applied', span: { from: 0, to: 0 } }
  if (!short) return { result: 'none', nearest: null, tooMuch: wanted.exactOnly !== true }
  return locateSimilar(wanted)
}

function locateOnRung(wanted: EditRequest, rung: Rung, how: FoldRules): Located | null {
  const exact = rung === 'exact'
  const trim = exact ? (folded: Folded): Folded => folded : trimLineEnds
  const old = trim(fold(wanted.old, how))
  if (old.units.length === 0) return null
  const text = fold(wanted.text, how)
  const all = occurrences(text.units, old.units, MOST_PLACES)
  const places = exact ? all : all.filter((at) => isOnWordEdges(text, at, at + old.units.length))
  if (places.length === 0) return null
  const offsets = places.map((at) => text.starts[at]!)
  const span = { from: offsets[0]!, to: text.ends[places[0]! + old.units.length - 1]! }
  if (differsBeyondBlanks(wanted) && isInsideNewText(text, places, old.units.length, trim(fold(wanted.new, how))))
    return { result: 'applied', span }
  if (places.length > 1) return { result: 'several', rung, offsets, more: places.length === MOST_PLACES }
  return { result: 'one', rung, span, loose: how.blanks === 'ignored', similarity: 1 }
}

/** It begins and ends at a character's edge, and not inside a word. */
function isOnWordEdges(text: Folded, from: number, to: number): boolean {
  return isEdge(text, from) && isEdge(text, to)
}

function isEdge({ units, starts, ends }: Folded, at: number): boolean {
  if (at === 0 || at === units.length) return true
  if (starts[at] === starts[at - 1] && ends[at] === ends[at - 1]) return false
  return !(isWord(units[at - 1]!) && isWord(units[at]!))
}

/** What is to be replaced stands only where the new text, which holds it, already is: putting it in again would stamp it twice. */
function isInsideNewText(text: Folded, places: readonly number[], length: number, made: Folded): boolean {
  if (made.units.length <= length) return false
  const done = occurrences(text.units, made.units, MOST_PLACES)
  return places.every((at) => done.some((from) => from <= at && at + length <= from + made.units.length))
}

/** A blank or a line end that is put in stands in many places without anybody having put it there. */
function differsBeyondBlanks({ old, new: made }: EditRequest): boolean {
  return made.replace(/\s+/g, '') !== old.replace(/\s+/g, '')
}

/** Lines were to be put between lines that stay, and now stand there: the old passage is there with the new lines in it. */
function hasInsertedLines({ text, old, new: made }: EditRequest): boolean {
  const kept = wordLines(fold(old, LOOSEST)).lines.map(String)
  let next = 0
  for (const line of wordLines(fold(made, LOOSEST)).lines) if (String(line) === kept[next]) next++
  return kept.length > 1 && next === kept.length && containsPassage(text, made)
}

/** Whether a passage stands in a text, whatever its blanks, indentation and quotes. */
export function containsPassage(text: string, passage: string): boolean {
  const { units } = trimLineEnds(fold(passage, LOOSEST))
  return units.length === 0 || occurrences(fold(text, LOOSEST).units, units, 1).length > 0
}

const LOOSEST: FoldRules = { blanks: 'ignored', plain: true }

function locateSimilar(wanted: EditRequest): Located {
  const text = fold(wanted.text, LOOSEST)
  const file = wordLines(text)
  const asked = wordLines(fold(wanted.old, LOOSEST))
  const found = mostSimilar(file, asked)
  if (found.result === 'several')
    return { result: 'several', rung: 'similar', offsets: found.at.map((at) => file.offsets[at]!), more: false }
  if (found.result === 'one') {
    const span = { from: file.offsets[found.at]!, to: file.ends[found.at + asked.lines.length - 1]! }
    if (overlapsNewText(text, span, wanted.new)) return { result: 'applied', span }
    return { result: 'one', rung: 'similar', span, loose: true, similarity: found.similarity }
  }
  const near = asked.lines.length > 0 ? nearestLine(file, asked) : null
  return {
    result: 'none',
    nearest: near && { offset: file.offsets[near.at]!, similarity: near.similarity },
    tooMuch: found.result === 'too-much'
  }
}

/** The new text already stands across this place. */
function overlapsNewText(text: Folded, span: TextSpan, made: string): boolean {
  const { units } = trimLineEnds(fold(made, LOOSEST))
  return occurrences(text.units, units, MOST_PLACES).some(
    (at) => text.starts[at]! < span.to && text.ends[at + units.length - 1]! > span.from
  )
}

function isPlain(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}
