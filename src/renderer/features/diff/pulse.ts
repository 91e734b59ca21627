/** Shows where an edit happened: its lines are lit for a moment. Without motion where a person prefers that. */
import type * as Monaco from 'monaco-editor/editor'

/** As long as the animation in replay.css. */
const PULSE_MS = 900

/** Lights lines of a text, from 1. */
export function pulseLines(editor: Monaco.editor.ICodeEditor, lines: readonly number[]): void {
  const last = editor.getModel()?.getLineCount() ?? 0
  const decorations = lines
    .filter((line) => line <= last)
    .map((line) => ({
      range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
      options: { isWholeLine: true, className: 'pulse-line' }
    }))
  const lit = editor.createDecorationsCollection(decorations)
  setTimeout(() => lit.clear(), PULSE_MS)
}
