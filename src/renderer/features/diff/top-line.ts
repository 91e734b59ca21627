/** The line at a height of a text. */
import type * as Monaco from 'monaco-editor/editor'

type Text = Pick<Monaco.editor.ICodeEditor, 'getTopForLineNumber' | 'getModel'>

/** The last line that begins at `top` or above it, px; folded lines and what is between lines have their heights. */
export function firstLineBelow(editor: Text, top: number): number {
  let [low, high] = [1, editor.getModel()?.getLineCount() ?? 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (editor.getTopForLineNumber(middle) <= top) low = middle
    else high = middle - 1
  }
  return low
}
