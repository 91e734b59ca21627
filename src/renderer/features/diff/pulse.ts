/** Shows where an edit happened: its lines are lit for a moment. Without motion where a person prefers that. */
import type * as Monaco from 'monaco-editor/editor'

/** `ScrollType.Immediate` of Monaco, which is not loaded yet where this is. */
const IMMEDIATE = 1

/** As long as the animation in replay.css. */
const PULSE_MS = 900

/** Lights lines of a text, from 1, and scrolls it to `top`, px; null: not. */
export function pulseLines(editor: Monaco.editor.ICodeEditor, lines: readonly number[], top: number | null): void {
  if (top !== null) editor.setScrollTop(top, IMMEDIATE)
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
