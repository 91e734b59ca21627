/** Marks the changed words of one side in the editor. */
import type * as Monaco from 'monaco-editor/editor'
import { wordMarks } from './word-marks.ts'

const CLASS = { original: 'word-del', modified: 'word-add' } as const

/** The marks drawn; clearing them is up to the caller. Changes of another model than the one shown are left out. */
export function drawWords(
  monaco: typeof Monaco,
  editor: Monaco.editor.ICodeEditor,
  side: 'original' | 'modified',
  changes: readonly Monaco.editor.ILineChange[]
): Monaco.editor.IEditorDecorationsCollection {
  const model = editor.getModel()
  const lines = model?.getLineCount() ?? 0
  const stretches = changes
    .flatMap((change) => change.charChanges ?? [])
    .map((change) => ({
      startLine: change[`${side}StartLineNumber`],
      startColumn: change[`${side}StartColumn`],
      endLine: change[`${side}EndLineNumber`],
      endColumn: change[`${side}EndColumn`]
    }))
    .filter((stretch) => stretch.startLine > 0 && stretch.endLine <= lines)
  const marks = wordMarks(stretches, (line) => model?.getLineContent(line) ?? '')
  return editor.createDecorationsCollection(
    marks.map((mark) => ({
      range: new monaco.Range(mark.line, mark.startColumn, mark.line, mark.endColumn),
      options: { className: CLASS[side] }
    }))
  )
}
