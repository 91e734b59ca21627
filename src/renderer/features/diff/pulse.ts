/** Shows where an edit happened: its lines are lit for a moment. Without motion where a person prefers that. */
import type * as Monaco from 'monaco-editor/editor'

/** As long as the animation in diff.css. */
const PULSE_MS = 900

/** Lights the lines `from` to `to` of a text, from 1; a later call replaces it. */
export function pulseLines(editor: Monaco.editor.ICodeEditor, from: number, to: number): void {
  const last = editor.getModel()?.getLineCount() ?? 0
  if (last === 0) return
  const range = {
    startLineNumber: Math.min(from, last),
    startColumn: 1,
    endLineNumber: Math.min(to, last),
    endColumn: 1
  }
  const lit = editor.createDecorationsCollection([{ range, options: { isWholeLine: true, className: 'pulse-line' } }])
  setTimeout(() => lit.clear(), PULSE_MS)
}
