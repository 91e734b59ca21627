/** Works out an edit: where the old text stands, what becomes of it, and every reason not to touch anything. */
import { diffBlocks } from '../diff/line-diff.ts'
import { splitLines } from '../diff/lines.ts'
import { type IndentPair, indentOf, reindent } from './indentation.ts'
import { locate, type TextSpan, type Rung, type EditRequest } from './locate.ts'
import {
  isBlankLine,
  type LineChange,
  lineAt,
  lineText,
  splitText,
  type TextLines,
  textLines,
  withChanges
} from './text-lines.ts'

export type EditPlan =
  | {
      readonly result: 'edit'
      readonly rung: Rung
      /** 1 on every rung but the last. */
      readonly similarity: number
      /** First and last line of the passage that was found, from 1. */
      readonly firstLine: number
      readonly lastLine: number
      readonly text: string
    }
  /** Nothing is left to do: the new text stands there, or is the old one. */
  | { readonly result: 'done'; readonly why: 'applied' | 'same' }
  | {
      readonly result: 'several'
      readonly rung: Rung
      readonly count: number
      readonly more: boolean
      readonly lines: readonly number[]
    }
  | {
      readonly result: 'none'
      readonly nearest: { readonly line: number; readonly text: string; readonly similarity: number } | null
      readonly tooMuch: boolean
    }
  /** There are no words to look for. */
  | { readonly result: 'empty' }

/** What an agent may read of a line, and how many lines it is told of. */
const LONGEST_LINE = 200
const MOST_LINES = 20

/** Pure. Lines that the old and the new text have in common keep the file's own bytes, whichever rung found them. */
export function planEdit(wanted: EditRequest): EditPlan {
  if (wanted.old === '') return { result: 'empty' }
  const found = locate(wanted)
  if (found.result === 'applied') return { result: 'done', why: 'applied' }
  const lines = textLines(wanted.text)
  const numberAt = (offset: number): number => lineAt(lines, offset) + 1
  if (found.result === 'none') {
    if (isBlankLine(wanted.old)) return { result: 'empty' }
    const { nearest, tooMuch } = found
    return { result: 'none', nearest: nearest && named(lines, nearest), tooMuch }
  }
  if (found.result === 'several') {
    const { rung, offsets, more } = found
    return { result: 'several', rung, count: offsets.length, more, lines: offsets.slice(0, MOST_LINES).map(numberAt) }
  }
  const { span, rung, similarity, loose } = found
  const changes = loose ? looseChanges(lines, span, wanted) : strictChanges(lines, span, wanted, rung)
  const text = withChanges(lines, changes)
  if (text === wanted.text) return { result: 'done', why: 'same' }
  const lastLine = numberAt(Math.max(span.from, span.to - 1))
  return { result: 'edit', rung, similarity, firstLine: numberAt(span.from), lastLine, text }
}

function named(lines: TextLines, { offset, similarity }: { offset: number; similarity: number }) {
  const line = lineAt(lines, offset)
  const text = lineText(lines, line).trim()
  return { line: line + 1, text: text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text, similarity }
}

/** The file's lines at the place, one for each line of the old text. */
function strictChanges(lines: TextLines, place: TextSpan, wanted: EditRequest, rung: Rung): LineChange[] {
  const first = lineAt(lines, place.from)
  const last = lineAt(lines, place.to)
  const before = lines.text.slice(lines.starts[first], place.from)
  const after = lines.text.slice(place.to, lines.ends[last])
  const asked = rung === 'exact' ? cut(wanted.old, wanted.new) : cutWithoutBlankEnds(wanted.old, wanted.new)
  // Blanks at the end of the last line were not looked at, so those of the file stay.
  const rest = rung === 'exact' || !isBlankLine(after) ? after : ''
  const old = around(before, asked.old, rest)
  const made = asked.made.length === 0 && before + rest === '' ? [] : around(before, asked.made, rest)
  return blocks(old, made).map(({ from, to, lines: put }) => ({ from: first + from, to: first + to, lines: put }))
}

/** The file's lines with words at the place, one for each such line of the old text; new lines take their indentation. */
function looseChanges(lines: TextLines, place: TextSpan, wanted: EditRequest): LineChange[] {
  const first = lineAt(lines, place.from)
  const last = lineAt(lines, Math.max(place.from, place.to - 1))
  const before = lines.text.slice(lines.starts[first], place.from)
  const after = lines.text.slice(place.to, lines.ends[last])
  let { old, made } = cutWithoutBlankEnds(wanted.old, wanted.new)
  // Inside a line what stands around the place stays, and is no indentation.
  if (!isBlankLine(before) || !isBlankLine(after)) {
    const head = isBlankLine(before) ? '' : before
    const tail = isBlankLine(after) ? '' : after
    old = around(head, trimOuter(old, head, tail), tail)
    made = around(head, trimOuter(made, head, tail), tail)
  }
  const withWords: number[] = []
  for (let line = first; line <= last; line++) if (!isBlankLine(lineText(lines, line))) withWords.push(line)
  const indents: IndentPair[] = []
  /** For each line of the old text the file's line; an empty one stands right after the one before it. */
  const at: number[] = []
  for (const line of old) {
    const next = withWords[indents.length] ?? last + 1
    if (isBlankLine(line)) at.push(Math.min(next, (at.at(-1) ?? first - 1) + 1))
    else {
      at.push(next)
      indents.push({ quoted: indentOf(line), actual: indentOf(lineText(lines, Math.min(next, last))) })
    }
  }
  at.push(last + 1)
  return blocks(old, made).map(({ from, to, lines: put }) => {
    const near = old.slice(0, from).filter((line) => !isBlankLine(line)).length
    return { from: at[from]!, to: at[to]!, lines: put.map((line) => reindent(line, indents, near)) }
  })
}

interface Asked {
  readonly old: readonly string[]
  readonly made: readonly string[]
}

function cut(old: string, made: string): Asked {
  return { old: splitText(old), made: splitText(made) }
}

/** Empty lines at the ends of the old text were not looked for, so as many at the ends of the new one are not put in. */
function cutWithoutBlankEnds(old: string, made: string): Asked {
  const asked = cut(old, made)
  const lead = blankLead(asked.old)
  const trail = blankLead([...asked.old].reverse())
  const from = Math.min(lead, blankLead(asked.made))
  const rest = asked.made.slice(from)
  const less = Math.min(trail, blankLead([...rest].reverse()))
  return { old: asked.old.slice(lead, asked.old.length - trail), made: rest.slice(0, rest.length - less) }
}

function blankLead(lines: readonly string[]): number {
  const at = lines.findIndex((line) => !isBlankLine(line))
  return at < 0 ? lines.length : at
}

/** The first and the last line with what stands beside them in the file. */
function around(before: string, lines: readonly string[], after: string): string[] {
  const all = lines.length === 0 ? [''] : [...lines]
  all[0] = before + all[0]
  all[all.length - 1] += after
  return all
}

function trimOuter(lines: readonly string[], before: string, after: string): string[] {
  const all = [...lines]
  if (before !== '' && all.length > 0) all[0] = all[0]!.trimStart()
  if (after !== '' && all.length > 0) all[all.length - 1] = all.at(-1)!.trimEnd()
  return all
}

function blocks(old: readonly string[], made: readonly string[]): LineChange[] {
  const bytesOf = (lines: readonly string[]): Uint8Array =>
    new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  return diffBlocks(splitLines(bytesOf(old)), splitLines(bytesOf(made))).map((block) => ({
    from: block.oldFrom,
    to: block.oldTo,
    lines: made.slice(block.newFrom, block.newTo)
  }))
}
