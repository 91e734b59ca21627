/**
 * The lines of a diff as they are drawn until the editor is loaded: the same lines, at the same places. Pure.
 * What the engine says of a run's hunks is enough; the editor compares the texts itself only later.
 */
import type { LineBlock } from '../../../contract/diff.ts'
import type { TextDoc, TextOptions } from './text-doc.ts'

export interface FirstLine {
  readonly kind: 'same' | 'added' | 'deleted'
  /** Line numbers, from 1; null where the line is not, and for what comes after the last line break. */
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

/** `bar`: room for the bar of a hunk; `fold`: unchanged lines that are not shown. */
type FirstRow =
  | { readonly kind: 'lines'; readonly lines: readonly FirstLine[] }
  | { readonly kind: 'bar'; readonly n: number }
  | { readonly kind: 'fold'; readonly count: number }

/** Unchanged lines that the editor shows around a change, and the fewest that it folds (editor-options.ts). */
const CONTEXT = 3
const FEWEST_FOLDED = 3

/** Whether it is known what differs without the editor. */
export function isDrawable(
  { shape, hunks, blocks }: Pick<TextDoc, 'shape' | 'hunks' | 'blocks'>,
  { whitespace }: Pick<TextOptions, 'whitespace'>
): boolean {
  return shape !== 'changed' || (whitespace === 'show' && (hunks.length > 0 || (blocks?.length ?? 0) > 0))
}

/**
 * Whether the editor finds the same blocks. It compares lines as text and without their ends: a block whose first or last
 * lines differ only in those is none for it. Reads both texts.
 */
export function hasEditorBlocks({
  shape,
  before,
  after,
  hunks,
  blocks
}: Pick<TextDoc, 'shape' | 'before' | 'after' | 'hunks' | 'blocks'>): boolean {
  if (shape !== 'changed') return true
  const [old, now] = [linesOf(before), linesOf(after)]
  const all = hunks.length > 0 ? hunks.flatMap((hunk) => hunk.blocks) : (blocks ?? [])
  return all.every(({ oldFrom, oldTo, newFrom, newTo }) => {
    if (oldFrom === oldTo || newFrom === newTo) return true
    return old[oldFrom] !== now[newFrom] && old[oldTo - 1] !== now[newTo - 1]
  })
}

/** The first rows, up to about `most` lines; null where only the editor knows what changed. */
export function firstRows(
  doc: TextDoc,
  options: Pick<TextOptions, 'whitespace' | 'hideUnchanged'>,
  most: number
): readonly FirstRow[] | null {
  const { shape, before, after, hunks, blocks } = doc
  if (shape !== 'changed') return [{ kind: 'lines', lines: oneSide(shape === 'added' ? after : before, shape, most) }]
  if (!isDrawable(doc, options)) return null
  const [old, now] = [linesOf(before), linesOf(after)]
  const rows: FirstRow[] = []
  let shown = 0
  const add = (lines: readonly FirstLine[]): void => {
    shown += lines.length
    if (lines.length > 0) rows.push({ kind: 'lines', lines })
  }
  /** The unchanged lines up to line `to` of the later text. */
  const addSame = (end: Pick<LineBlock, 'oldFrom' | 'newFrom'>, from: Pick<LineBlock, 'oldTo' | 'newTo'>): void => {
    const count = end.newFrom - from.newTo
    const same = (first: number, last: number): readonly FirstLine[] =>
      Array.from({ length: Math.min(last - first, most) }, (_, index) => ({
        kind: 'same',
        ...lineAt(old, 'before', from.oldTo + first + index),
        ...lineAt(now, 'after', from.newTo + first + index)
      }))
    const head = from.newTo === 0 ? 0 : CONTEXT
    const tail = end.newFrom === now.length ? 0 : CONTEXT
    const folded = options.hideUnchanged ? count - head - tail : 0
    if (folded < FEWEST_FOLDED) {
      add(same(0, count))
      return
    }
    add(same(0, head))
    rows.push({ kind: 'fold', count: folded })
    add(same(count - tail, count))
  }
  let last: Pick<LineBlock, 'oldTo' | 'newTo'> = { oldTo: 0, newTo: 0 }
  for (const { n, blocks: own } of hunks.length > 0 ? hunks : [{ n: 0, blocks: blocks ?? [] }]) {
    if (shown > most) return rows
    for (const [index, block] of own.entries()) {
      addSame(block, last)
      if (index === 0 && n > 0) rows.push({ kind: 'bar', n })
      add(changed(old, now, block, most))
      last = block
    }
  }
  addSame({ oldFrom: old.length, newFrom: now.length }, last)
  return rows
}

function oneSide(text: string, shape: 'added' | 'deleted', most: number): FirstLine[] {
  const lines = linesOf(text)
  return Array.from({ length: Math.min(lines.length, most) }, (_, index) =>
    shape === 'added'
      ? { kind: 'same', before: null, ...lineAt(lines, 'after', index) }
      : { kind: 'same', ...lineAt(lines, 'before', index), after: null }
  )
}

function lineAt<Side extends 'before' | 'after'>(lines: readonly string[], side: Side, index: number) {
  const text = lines[index] ?? ''
  const isEnd = index === lines.length - 1 && text === ''
  return { [side]: isEnd ? null : index + 1, text } as Record<Side, number | null> & { text: string }
}

function changed(old: readonly string[], now: readonly string[], block: LineBlock, most: number): FirstLine[] {
  const { oldFrom, oldTo, newFrom, newTo } = block
  const deleted = Array.from({ length: Math.min(oldTo - oldFrom, most) }, (_, index) => ({
    kind: 'deleted' as const,
    ...lineAt(old, 'before', oldFrom + index),
    after: null
  }))
  const added = Array.from({ length: Math.min(newTo - newFrom, most) }, (_, index) => ({
    kind: 'added' as const,
    before: null,
    ...lineAt(now, 'after', newFrom + index)
  }))
  return [...deleted, ...added]
}

/** As the editor does, with an empty line after the last line break. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

/** One row as it is drawn: in two columns a pair of lines. */
export type DrawnRow =
  | Exclude<FirstRow, { readonly kind: 'lines' }>
  | { readonly kind: 'line'; readonly line: FirstLine }
  | { readonly kind: 'pair'; readonly before: FirstLine | null; readonly after: FirstLine | null }

export function drawnRows(rows: readonly FirstRow[], split: boolean): DrawnRow[] {
  return rows.flatMap((row): DrawnRow[] => {
    if (row.kind !== 'lines') return [row]
    if (!split) return row.lines.map((line) => ({ kind: 'line', line }))
    return sideBySide(row.lines).map(([before, after]) => ({ kind: 'pair', before, after }))
  })
}

/** The rows down to the first line that something is below of. */
export function rowsAbove(
  rows: readonly DrawnRow[],
  zones: readonly { readonly side: 'before' | 'after'; readonly line: number }[]
): readonly DrawnRow[] {
  const last = rows.findIndex((row) => zones.some(({ side, line }) => hasLine(row, side, line)))
  return last < 0 ? rows : rows.slice(0, last + 1)
}

/** Whether a row has a line of one side. */
export function hasLine(row: DrawnRow, side: 'before' | 'after', line: number): boolean {
  if (row.kind === 'line') return row.line[side] === line
  return row.kind === 'pair' && row[side]?.[side] === line
}

/** The lines of two columns: of a block, deleted lines stand beside added ones. */
function sideBySide(lines: readonly FirstLine[]): (readonly [FirstLine | null, FirstLine | null])[] {
  const deleted = lines.filter(({ kind }) => kind === 'deleted')
  const added = lines.filter(({ kind }) => kind === 'added')
  const pairs = Array.from({ length: Math.max(deleted.length, added.length) }, (_, index) => {
    return [deleted[index] ?? null, added[index] ?? null] as const
  })
  return [...lines.filter(({ kind }) => kind === 'same').map((line) => [line, line] as const), ...pairs]
}
