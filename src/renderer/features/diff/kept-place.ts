/** Where the reader is in a text, kept when a newer version of it takes its place. */
import type * as Monaco from 'monaco-editor/editor'

type Editor = Monaco.editor.ICodeEditor

/** How far a line is searched for above and below its number. */
const NEAR = 2000

/** Returns a function that moves the editor to the same lines in its new text; null without a text. */
export function keepPlace(editor: Editor): (() => void) | null {
  const model = editor.getModel()
  const first = editor.getVisibleRanges()[0]?.startLineNumber
  if (!model || first === undefined) return null
  const isAtTop = editor.getScrollTop() === 0
  const top = { line: first, text: model.getLineContent(first), offset: offsetOf(editor, first) }
  const position = editor.getPosition() ?? { lineNumber: 1, column: 1 }
  const cursor = { ...position, text: model.getLineContent(position.lineNumber) }
  const left = editor.getScrollLeft()
  return () => {
    const lines = editor.getModel()?.getLinesContent() ?? []
    editor.setPosition({ lineNumber: lineNear(lines, cursor.lineNumber, cursor.text), column: cursor.column })
    if (isAtTop) return
    const line = lineNear(lines, top.line, top.text)
    editor.setScrollPosition({ scrollTop: editor.getTopForLineNumber(line) + top.offset, scrollLeft: left })
  }
}

const offsetOf = (editor: Editor, line: number): number => editor.getScrollTop() - editor.getTopForLineNumber(line)

/** The line with this text that is nearest to the line, from 1; without one, the line itself or the last one. */
export function lineNear(lines: readonly string[], line: number, text: string): number {
  for (let distance = 0; distance <= NEAR; distance++)
    for (const candidate of [line - distance, line + distance]) if (lines[candidate - 1] === text) return candidate
  return Math.max(1, Math.min(line, lines.length))
}
