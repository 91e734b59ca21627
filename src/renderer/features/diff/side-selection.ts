/** The selected lines of one of the two editors of a diff: a selection on one side replaces that on the other. */
import type * as Monaco from 'monaco-editor/editor'
import type { LineSelection } from '../../../contract/restore.ts'
import { linesOfRange } from './line-selection.ts'

export class SideSelection {
  /** Null if no text is selected. */
  lines: LineSelection | null = null

  /** The editors dispose the listeners with themselves. */
  constructor(editor: Monaco.editor.IStandaloneDiffEditor, onChange: () => void) {
    const [before, after] = [editor.getOriginalEditor(), editor.getModifiedEditor()]
    this.#watch('before', before, after, onChange)
    this.#watch('after', after, before, onChange)
  }

  #watch(
    side: LineSelection['side'],
    editor: Monaco.editor.ICodeEditor,
    opposite: Monaco.editor.ICodeEditor,
    onChange: () => void
  ): void {
    editor.onDidChangeCursorSelection(({ selection }) => {
      const lines = linesOfRange(side, selection)
      if (!lines && this.lines?.side !== side) return
      this.lines = lines
      const position = opposite.getPosition()
      if (lines && position && !opposite.getSelection()?.isEmpty()) opposite.setPosition(position)
      onChange()
    })
  }
}
