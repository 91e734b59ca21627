/** In the preview of a restore: highlights later lines by others that the restore preserves. */
import type * as Monaco from 'monaco-editor/editor'
import type { LineRange } from '../../../contract/diff.ts'
import { unfoldLine } from './monaco-private.ts'
import type { TextDoc } from './text-doc.ts'

export interface PreservedLines {
  readonly path: string
  /** `line`: line of the earlier text, 1-based; `tag`: the author, shown behind the line. */
  readonly lines: readonly { readonly line: number; readonly tag: string; readonly yours: boolean }[]
}

type Change = Pick<
  Monaco.editor.ILineChange,
  'originalStartLineNumber' | 'originalEndLineNumber' | 'modifiedStartLineNumber' | 'modifiedEndLineNumber'
>

/** The line of the later text that corresponds to a line of the earlier one; null if it is part of a change. */
export function lineAfter(line: number, changes: readonly Change[]): number | null {
  let shift = 0
  for (const change of changes) {
    // Monaco: a side without lines has end 0, and its start is the line before the change.
    const { originalStartLineNumber: from, originalEndLineNumber: to } = change
    const removed = to === 0 ? 0 : to - from + 1
    const added =
      change.modifiedEndLineNumber === 0 ? 0 : change.modifiedEndLineNumber - change.modifiedStartLineNumber + 1
    if (line < from || (to === 0 && line === from)) break
    if (to !== 0 && line <= to) return null
    shift += added - removed
  }
  return line + shift
}

/** Preserved lines within this distance of a change are unfolded. More would push the changes off screen. */
const NEAR_LINES = 12

/** Unfolds preserved lines near a change. */
export function unfoldPreservedLines(
  view: Monaco.editor.IDiffEditorViewModel,
  preserved: PreservedLines,
  changes: readonly Change[]
): void {
  for (const { line } of preserved.lines) {
    const at = lineAfter(line, changes)
    if (at !== null && changes.some((change) => isNear(at, change))) unfoldLine(view, at)
  }
}

function isNear(line: number, { modifiedStartLineNumber: from, modifiedEndLineNumber: to }: Change): boolean {
  return line >= from - NEAR_LINES && line <= Math.max(from, to) + NEAR_LINES
}

/** Whether a line belongs to the block of the line before it: only the first line of a block names its author. */
export function isContinued(
  previous: { readonly at: number; readonly tag: string } | undefined,
  { at, tag }: { readonly at: number; readonly tag: string }
): boolean {
  return previous?.at === at - 1 && previous.tag === tag
}

/** Marks the lines of others in the margins of both sides. Returns the decorations, which the caller clears. */
export function markOthers(
  monaco: typeof Monaco,
  editor: Monaco.editor.IStandaloneDiffEditor,
  lines: readonly LineRange[],
  changes: readonly Change[]
): readonly Monaco.editor.IEditorDecorationsCollection[] {
  const options = { isWholeLine: true, marginClassName: 'others-line' }
  const mark = (at: number) => ({ range: new monaco.Range(at, 1, at, 1), options })
  return [
    editor.getOriginalEditor().createDecorationsCollection(linesOf(lines).map(mark)),
    editor.getModifiedEditor().createDecorationsCollection(linesAfter(linesOf(lines), changes).map(mark))
  ]
}

/** Lines of the later text that are marked as those of others, without those that are part of a change. */
export function othersIn(
  file: Pick<TextDoc, 'path' | 'shape' | 'othersLines'>,
  preserved: PreservedLines | null,
  changes: readonly Change[]
): readonly number[] {
  if (file.shape !== 'changed') return []
  const isPreserved = preserved?.path === file.path
  return linesAfter(isPreserved ? preserved.lines.map(({ line }) => line) : linesOf(file.othersLines), changes)
}

function linesAfter(lines: readonly number[], changes: readonly Change[]): readonly number[] {
  return lines.map((line) => lineAfter(line, changes)).filter((line) => line !== null)
}

/** Line numbers, from 1. */
function linesOf(ranges: readonly LineRange[]): readonly number[] {
  return ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index + 1))
}

/** Highlights the lines on both sides. Returns the decorations, which the caller clears. */
export function markPreserved(
  monaco: typeof Monaco,
  editor: Monaco.editor.IStandaloneDiffEditor,
  preserved: PreservedLines,
  changes: readonly Change[]
): readonly Monaco.editor.IEditorDecorationsCollection[] {
  const [before, after] = [editor.getOriginalEditor(), editor.getModifiedEditor()]
  const model = after.getModel()
  const lines = preserved.lines.flatMap(({ line, tag }) => {
    const at = lineAfter(line, changes)
    return at === null || at > (model?.getLineCount() ?? 0) ? [] : [{ line, at, tag }]
  })
  const options = { isWholeLine: true, className: 'own-line', marginClassName: 'own-line' }
  return [
    // In the inline view the line numbers of the earlier text are the leftmost column, which is highlighted, too.
    before.createDecorationsCollection(
      lines.map(({ line }) => ({ range: new monaco.Range(line, 1, line, 1), options }))
    ),
    after.createDecorationsCollection(
      lines.map(({ at, tag }, i) => {
        const end = model?.getLineMaxColumn(at) ?? 1
        const range = new monaco.Range(at, end, at, end)
        if (isContinued(lines[i - 1], { at, tag })) return { range, options }
        const authorTag = { content: tag, inlineClassName: 'own-tag' }
        return { range, options: { ...options, showIfCollapsed: true, after: authorTag } }
      })
    )
  ]
}
