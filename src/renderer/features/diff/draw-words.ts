/** Highlights the changed words of one side in the editor. */
import type * as Monaco from 'monaco-editor/editor'
import { wordMarks } from './word-marks.ts'

const CLASS = { original: 'word-del', modified: 'word-add' } as const

/** Returns the decorations, which the caller clears. Ranges beyond the end of the text belong to another model and are skipped. */
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
