/** What marks the changes of the text on screen: changed words, lines of others, preserved lines, and the ruler. */
import type * as Monaco from 'monaco-editor/editor'
import { drawRuler } from './change-ruler.ts'
import { markChangedWords } from './draw-words.ts'
import { markOthers, markPreserved, othersIn, type PreservedLines, unfoldPreservedLines } from './preserved-lines.ts'
import type { TextDoc } from './text-doc.ts'

type MarkedFile = Pick<TextDoc, 'path' | 'shape' | 'othersLines'>

export class ChangeMarks {
  readonly #monaco: typeof Monaco
  readonly #editor: Monaco.editor.IStandaloneDiffEditor
  readonly #ruler: HTMLElement
  #decorations: Monaco.editor.IEditorDecorationsCollection[] = []
  /** Lines to highlight as preserved in their file. */
  preserved: PreservedLines | null = null

  /** `host`: gets the ruler. */
  constructor(monaco: typeof Monaco, editor: Monaco.editor.IStandaloneDiffEditor, host: HTMLElement) {
    this.#monaco = monaco
    this.#editor = editor
    this.#ruler = document.createElement('div')
    this.#ruler.className = 'change-ruler'
    this.#ruler.ariaHidden = 'true'
    host.append(this.#ruler)
  }

  changes(): readonly Monaco.editor.ILineChange[] {
    return this.#editor.getLineChanges() ?? []
  }

  drawRuler(file: MarkedFile): void {
    // There is none beside one of several files.
    if (this.#ruler.closest('[data-fit]')) return
    const changes = this.changes()
    drawRuler(this.#ruler, this.#editor.getModifiedEditor(), changes, othersIn(file, this.preserved, changes))
  }

  /** `view`: its comparison; absent while there is none. */
  draw(file: MarkedFile, view: Monaco.editor.IDiffEditorViewModel | undefined): void {
    for (const decorations of this.#decorations) decorations.clear()
    const changes = this.changes()
    this.#decorations = [
      markChangedWords(this.#monaco, this.#editor.getOriginalEditor(), 'original', changes),
      markChangedWords(this.#monaco, this.#editor.getModifiedEditor(), 'modified', changes),
      ...markOthers(this.#monaco, this.#editor, file.othersLines, changes)
    ]
    if (this.preserved?.path !== file.path || file.shape !== 'changed') return
    this.#decorations.push(...markPreserved(this.#monaco, this.#editor, this.preserved, changes))
    if (view) unfoldPreservedLines(view, this.preserved, changes)
  }
}
