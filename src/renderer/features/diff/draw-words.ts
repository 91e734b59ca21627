/** Highlights the changed words of one side in the editor. */
import type * as Monaco from 'monaco-editor/editor'

/** A changed range; lines and columns are 1-based, the end column is exclusive. */
interface ChangedRange {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}
interface WordMark {
  readonly line: number
  readonly startColumn: number
  readonly endColumn: number
}

/**
 * One mark per line. A line that changed as a whole gets none, because its background shows that already. Whitespace at
 * the ends of a range is left out, unless the range is whitespace only.
 */
export function wordMarks(ranges: readonly ChangedRange[], textOf: (line: number) => string): readonly WordMark[] {
  const marks: WordMark[] = []
  for (const range of ranges) {
    for (let line = range.startLine; line <= range.endLine; line++) {
      const text = textOf(line)
      const start = line === range.startLine ? range.startColumn - 1 : 0
      const end = line === range.endLine ? range.endColumn - 1 : text.length
      const part = text.slice(start, end)
      if (part === '' || part.trim() === text.trim()) continue
      const blank = part.trim() === ''
      if (blank && range.startLine !== range.endLine) continue
      const lead = blank ? 0 : part.length - part.trimStart().length
      const trail = blank ? 0 : part.length - part.trimEnd().length
      marks.push({ line, startColumn: start + lead + 1, endColumn: start + part.length - trail + 1 })
    }
  }
  return marks
}

const CLASS = { original: 'word-del', modified: 'word-add' } as const

/**
 * Returns the decorations, which the caller clears. Ranges beyond the end of the text belong to another model and are
 * skipped.
 */
export function markChangedWords(
  monaco: typeof Monaco,
  editor: Monaco.editor.ICodeEditor,
  side: 'original' | 'modified',
  changes: readonly Monaco.editor.ILineChange[]
): Monaco.editor.IEditorDecorationsCollection {
  const model = editor.getModel()
  const lines = model?.getLineCount() ?? 0
  const ranges = changes
    .flatMap((change) => change.charChanges ?? [])
    .map((change) => ({
      startLine: change[`${side}StartLineNumber`],
      startColumn: change[`${side}StartColumn`],
      endLine: change[`${side}EndLineNumber`],
      endColumn: change[`${side}EndColumn`]
    }))
    .filter((range) => range.startLine > 0 && range.endLine <= lines)
  const marks = wordMarks(ranges, (line) => model?.getLineContent(line) ?? '')
  return editor.createDecorationsCollection(
    marks.map((mark) => ({
      range: new monaco.Range(mark.line, mark.startColumn, mark.line, mark.endColumn),
      options: { className: CLASS[side] }
    }))
  )
}
