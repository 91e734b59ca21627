/**
 * Plans an edit of a text: finds the quoted passage (locate.ts) and computes the new text, or a reason to change
 * nothing. Pure.
 *
 * Only lines that differ between the old and the new text are replaced. Lines that both have in common keep the bytes
 * of the file, whichever rung found the passage: an agent's imprecise quote never reformats lines that it does not
 * change.
 */
import { diffBlocks } from '../diff/line-diff.ts'
import { splitLines } from '../diff/lines.ts'
import { type IndentPair, indentOf, reindent } from './indentation.ts'
import { type EditRequest, locate, type Rung, type TextSpan } from './locate.ts'
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
      /** 1 on every rung but `similar`. */
      readonly similarity: number
      /** First and last line of the passage, from 1. */
      readonly firstLine: number
      readonly lastLine: number
      readonly text: string
    }
  /** Nothing to change: the edit was applied already, or the new text equals the old one. */
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
  /** The old text is empty or blank. */
  | { readonly result: 'empty' }

/** Limits of what a refusal reports: units of a line, and numbers of lines. */
const MAX_LINE_UNITS = 200
const MAX_LINE_NUMBERS = 20

export function planEdit(request: EditRequest): EditPlan {
  if (request.old === '') return { result: 'empty' }
  const found = locate(request)
  if (found.result === 'applied') return { result: 'done', why: 'applied' }
  const lines = textLines(request.text)
  const numberAt = (offset: number): number => lineAt(lines, offset) + 1
  if (found.result === 'none') {
    if (isBlankLine(request.old)) return { result: 'empty' }
    const { nearest, tooMuch } = found
    return { result: 'none', nearest: nearest && describeNearest(lines, nearest), tooMuch }
  }
  if (found.result === 'several') {
    const { rung, offsets, more } = found
    const numbers = offsets.slice(0, MAX_LINE_NUMBERS).map(numberAt)
    return { result: 'several', rung, count: offsets.length, more, lines: numbers }
  }
  const { span, rung, similarity, loose } = found
  const changes = loose ? looseChanges(lines, span, request) : strictChanges(lines, span, request, rung)
  const text = withChanges(lines, changes)
  if (text === request.text) return { result: 'done', why: 'same' }
  const lastLine = numberAt(Math.max(span.from, span.to - 1))
  return { result: 'edit', rung, similarity, firstLine: numberAt(span.from), lastLine, text }
}

function describeNearest(lines: TextLines, { offset, similarity }: { offset: number; similarity: number }) {
  const line = lineAt(lines, offset)
  const text = lineText(lines, line).trim()
  return { line: line + 1, text: text.length > MAX_LINE_UNITS ? `${text.slice(0, MAX_LINE_UNITS)}…` : text, similarity }
}

/**
 * The changes when blank lines were compared: the file has one line for each line of the old text. `span` may begin and
 * end inside a line; the rest of these lines stays.
 */
function strictChanges(lines: TextLines, span: TextSpan, request: EditRequest, rung: Rung): LineChange[] {
  const first = lineAt(lines, span.from)
  const last = lineAt(lines, span.to)
  const before = lines.text.slice(lines.starts[first], span.from)
  const after = lines.text.slice(span.to, lines.ends[last])
  const texts = rung === 'exact' ? cut(request.old, request.new) : cutWithoutBlankEnds(request.old, request.new)
  // Blanks at the end of the last line were not compared. They stay.
  const rest = rung === 'exact' || !isBlankLine(after) ? after : ''
  const old = withSurroundings(before, texts.old, rest)
  const revised =
    texts.revised.length === 0 && before + rest === '' ? [] : withSurroundings(before, texts.revised, rest)
  return blocks(old, revised).map(({ from, to, lines: put }) => ({ from: first + from, to: first + to, lines: put }))
}

/**
 * The changes when blank lines and indentation were ignored: the file has one line with text for each such line of the
 * old text. New lines get the indentation of the file (indentation.ts).
 */
function looseChanges(lines: TextLines, span: TextSpan, request: EditRequest): LineChange[] {
  const first = lineAt(lines, span.from)
  const last = lineAt(lines, Math.max(span.from, span.to - 1))
  const before = lines.text.slice(lines.starts[first], span.from)
  const after = lines.text.slice(span.to, lines.ends[last])
  let { old, revised } = cutWithoutBlankEnds(request.old, request.new)
  // The passage begins or ends inside a line: the text beside it stays, and is not indentation.
  if (!isBlankLine(before) || !isBlankLine(after)) {
    const head = isBlankLine(before) ? '' : before
    const tail = isBlankLine(after) ? '' : after
    old = withSurroundings(head, trimOuter(old, head, tail), tail)
    revised = withSurroundings(head, trimOuter(revised, head, tail), tail)
  }
  const textLineNumbers: number[] = []
  for (let line = first; line <= last; line++) if (!isBlankLine(lineText(lines, line))) textLineNumbers.push(line)
  const indents: IndentPair[] = []
  /** The file's line for each line of the old text; a blank line is mapped to the line after the one before it. */
  const at: number[] = []
  for (const line of old) {
    const next = textLineNumbers[indents.length] ?? last + 1
    if (isBlankLine(line)) at.push(Math.min(next, (at.at(-1) ?? first - 1) + 1))
    else {
      at.push(next)
      indents.push({ quoted: indentOf(line), actual: indentOf(lineText(lines, Math.min(next, last))) })
    }
  }
  at.push(last + 1)
  return blocks(old, revised).map(({ from, to, lines: put }) => {
    const near = old.slice(0, from).filter((line) => !isBlankLine(line)).length
    return { from: at[from]!, to: at[to]!, lines: put.map((line) => reindent(line, indents, near)) }
  })
}

function cut(old: string, revised: string) {
  return { old: splitText(old), revised: splitText(revised) }
}

/** Blank lines at both ends of the old text were not searched for, so as many are dropped from the new text. */
function cutWithoutBlankEnds(old: string, revised: string) {
  const lines = cut(old, revised)
  const lead = leadingBlankLines(lines.old)
  const trail = leadingBlankLines([...lines.old].reverse())
  const from = Math.min(lead, leadingBlankLines(lines.revised))
  const rest = lines.revised.slice(from)
  const dropped = Math.min(trail, leadingBlankLines([...rest].reverse()))
  return { old: lines.old.slice(lead, lines.old.length - trail), revised: rest.slice(0, rest.length - dropped) }
}

function leadingBlankLines(lines: readonly string[]): number {
  const at = lines.findIndex((line) => !isBlankLine(line))
  return at < 0 ? lines.length : at
}

/** Adds the text beside the passage to its first and its last line. */
function withSurroundings(before: string, lines: readonly string[], after: string): string[] {
  const all = lines.length === 0 ? [''] : [...lines]
  all[0] = before + all[0]
  all[all.length - 1] += after
  return all
}

/** Drops the outer blanks of a passage that has text beside it in the file. */
function trimOuter(lines: readonly string[], before: string, after: string): string[] {
  const all = [...lines]
  if (before !== '' && all.length > 0) all[0] = all[0]!.trimStart()
  if (after !== '' && all.length > 0) all[all.length - 1] = all.at(-1)!.trimEnd()
  return all
}

/** The differing lines, by a line diff; `from` and `to` are indices in `old`. */
function blocks(old: readonly string[], revised: readonly string[]): LineChange[] {
  const bytesOf = (lines: readonly string[]): Uint8Array =>
    new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  return diffBlocks(splitLines(bytesOf(old)), splitLines(bytesOf(revised))).map((block) => ({
    from: block.oldFrom,
    to: block.oldTo,
    lines: revised.slice(block.newFrom, block.newTo)
  }))
}
