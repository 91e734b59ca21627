/** The strip beside the text that shows where in the file the changes are, and the lines of others. */
import type * as Monaco from 'monaco-editor/editor'

/** Minimum height of a mark, px. */
const MIN_MARK_PX = 3

/** Redraws all marks. Positions are fractions of the scrollable height, which excludes folded regions. */
export function drawRuler(
  ruler: HTMLElement,
  editor: Monaco.editor.ICodeEditor,
  changes: readonly Monaco.editor.ILineChange[],
  others: readonly number[]
): void {
  const height = Math.max(1, editor.getContentHeight())
  const fit = height <= editor.getLayoutInfo().height
  const marks: HTMLElement[] = []
  const mark = (top: number, bottom: number, kind: 'add' | 'del' | 'others') => {
    const element = document.createElement('i')
    element.className = kind
    const unit = fit ? 'px' : '%'
    const place = (y: number) => (fit ? y : (100 * y) / height)
    element.style.top = `${place(top)}${unit}`
    element.style.height = `max(${MIN_MARK_PX}px, ${place(bottom - top)}${unit})`
    marks.push(element)
  }
  for (const change of changes) {
    const added = change.modifiedEndLineNumber >= change.modifiedStartLineNumber && change.modifiedEndLineNumber > 0
    const deleted = change.originalEndLineNumber >= change.originalStartLineNumber && change.originalEndLineNumber > 0
    const lineTop = editor.getTopForLineNumber(Math.max(1, change.modifiedStartLineNumber))
    const bottom = editor.getBottomForLineNumber(Math.max(1, change.modifiedEndLineNumber))
    if (added) mark(lineTop, bottom, 'add')
    if (deleted) {
      const lines = change.originalEndLineNumber - change.originalStartLineNumber + 1
      const above = added ? lineTop : bottom
      mark(Math.max(0, above - (added ? lines * 20 : 0)), above, 'del')
    }
  }
  let first = 0
  for (const [index, line] of others.entries()) {
    if (others[index - 1] !== line - 1) first = line
    if (others[index + 1] !== line + 1)
      mark(editor.getTopForLineNumber(first), editor.getBottomForLineNumber(line), 'others')
  }
  ruler.replaceChildren(...marks)
}
